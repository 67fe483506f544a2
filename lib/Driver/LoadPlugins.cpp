// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Driver/LoadPlugins.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"

using namespace mlir;

bool graphc::loadDialectPlugins(MLIRContext &context,
                                llvm::ArrayRef<std::string> paths,
                                std::string &message) {
  DialectRegistry registry;
  for (const std::string &path : paths) {
    llvm::Expected<DialectPlugin> plugin = DialectPlugin::load(path);
    if (!plugin) {
      message = llvm::toString(plugin.takeError());
      return false;
    }
    plugin->registerDialectRegistryCallbacks(registry);
  }
  context.appendDialectRegistry(registry);
  return true;
}
