// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/data/File.h"

#include <string>
#include <sys/stat.h>
#include <unistd.h>

#include "graphc/data.h"
#include "runtime/core/Error.h"
#include "test/unit/runtime/data/TestFiles.h"

using graphc::runtime::AtomicFile;

namespace {

class File : public TempFolderTest {
protected:
  graphc_status save(const std::string &name) {
    return graphc::runtime::guarded([&] {
      AtomicFile file(path(name));
      file.write("new", 3);
      file.commit();
    });
  }
  std::string message() { return graphc_error_message(); }
  mode_t mode(const std::string &name) {
    struct stat status = {};
    EXPECT_EQ(lstat(path(name).c_str(), &status), 0);
    return status.st_mode;
  }
};

// The name of the temporary file is not made from it.
TEST_F(File, SavesUnderTheLongestName) {
  EXPECT_EQ(save(std::string(255, 'n')), GRAPHC_OK) << message();
  EXPECT_EQ(get(path(std::string(255, 'n'))), "new");
  EXPECT_EQ(fileCount(), 1u);
}

TEST_F(File, SavesInANewPlaceAndOverAFile) {
  EXPECT_EQ(save("a"), GRAPHC_OK);
  EXPECT_EQ(get(path("a")), "new");
  put("b", "old and longer");
  EXPECT_EQ(save("b"), GRAPHC_OK);
  EXPECT_EQ(get(path("b")), "new");
  EXPECT_EQ(fileCount(), 2u);
}

// A rename over /dev/null would leave a machine without it.
TEST_F(File, OnlyRegularFilesAreReplaced) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  ASSERT_EQ(symlink(path("pipe").c_str(), path("to-pipe").c_str()), 0);
  ASSERT_EQ(symlink("/dev/null", path("null").c_str()), 0);
  std::filesystem::create_directory(path("folder"));
  for (const char *name : {"pipe", "to-pipe", "null", "folder"}) {
    mode_t before = mode(name);
    EXPECT_EQ(save(name), GRAPHC_IO_ERROR) << name;
    EXPECT_NE(message().find("it is not a regular file"), std::string::npos)
        << message();
    EXPECT_EQ(mode(name), before) << name;
  }
  EXPECT_EQ(fileCount(), 4u) << "no temporary file is left";
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST_F(File, LinksStayAndWhatTheyPointToIsReplaced) {
  std::filesystem::create_directory(path("folder"));
  put("folder/state", "old");
  ASSERT_EQ(symlink("folder/state", path("one").c_str()), 0);
  ASSERT_EQ(symlink(path("one").c_str(), path("two").c_str()), 0);
  EXPECT_EQ(save("two"), GRAPHC_OK) << message();
  EXPECT_EQ(get(path("folder/state")), "new");
  EXPECT_TRUE(S_ISLNK(mode("one")) && S_ISLNK(mode("two")));

  ASSERT_EQ(symlink("folder/not-yet", path("dangling").c_str()), 0);
  EXPECT_EQ(save("dangling"), GRAPHC_OK) << message();
  EXPECT_EQ(get(path("folder/not-yet")), "new");
  EXPECT_TRUE(S_ISLNK(mode("dangling")));

  ASSERT_EQ(symlink("loop", path("loop").c_str()), 0);
  EXPECT_EQ(save("loop"), GRAPHC_IO_ERROR);
  EXPECT_NE(message().find("Too many levels of symbolic links"),
            std::string::npos)
      << message();
}

TEST_F(File, PermissionsAreKept) {
  put("private", "old");
  ASSERT_EQ(chmod(path("private").c_str(), 0640), 0);
  EXPECT_EQ(save("private"), GRAPHC_OK);
  EXPECT_EQ(mode("private") & 0777, 0640u);
}

// Nothing may hang on a pipe that nobody writes to.
TEST_F(File, OnlyRegularFilesAreRead) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  ASSERT_EQ(symlink("loop", path("loop").c_str()), 0);
  alarm(20);
  graphc_array *array = nullptr;
  graphc_csv *csv = nullptr;
  graphc_safetensors *tensors = nullptr;
  for (const std::string &name : {path("pipe"), path("loop"), path("")}) {
    const char *text = name.c_str();
    EXPECT_EQ(graphc_npy_read(text, &array), GRAPHC_IO_ERROR) << name;
    EXPECT_EQ(graphc_csv_read(text, nullptr, &csv), GRAPHC_IO_ERROR) << name;
    EXPECT_EQ(graphc_safetensors_open(text, &tensors), GRAPHC_IO_ERROR) << name;
    EXPECT_NE(message().find(name), std::string::npos) << message();
  }
  alarm(0);
}

} // namespace
