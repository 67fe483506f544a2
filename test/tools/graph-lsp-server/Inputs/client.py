# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An editor's part of a short session with the language server."""
import json
import subprocess
import sys

RIGHT = """func.func @f(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = graph.relu %x : tensor<2x3xf32>
  %b = graph.exp %a : tensor<2x3xf32>
  return %b : tensor<2x3xf32>
}
"""
WRONG = """func.func @f(%x: tensor<2x5xf32>, %w: tensor<4x3xf32>) -> tensor<2x4xf32> {
  %a = graph.linear %x, %w : tensor<2x5xf32>, tensor<4x3xf32> -> tensor<2x4xf32>
  return %a : tensor<2x4xf32>
}
"""
server = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
number = 0


def send(method, **params):
    message = json.dumps({"jsonrpc": "2.0", "method": method, **params}).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(message), message))
    server.stdin.flush()


def receive():
    length = 0
    while (line := server.stdout.readline().strip()):
        name, value = line.split(b":")
        if name.lower() == b"content-length":
            length = int(value)
    if not length:
        sys.exit("the server has ended")
    return json.loads(server.stdout.read(length))


def ask(method, **params):
    global number
    number += 1
    send(method, id=number, params=params)
    while True:
        message = receive()
        if message.get("id") == number:
            return message["result"]


def open_text(name, text):
    uri = f"file:///tmp/{name}"
    send("textDocument/didOpen",
         params={"textDocument": {"uri": uri, "languageId": "mlir", "version": 1, "text": text}})
    while (message := receive()).get("method") != "textDocument/publishDiagnostics":
        pass
    found = message["params"]["diagnostics"]
    print(f"diagnostics of {name}: {len(found)}")
    for item in found:
        print(f"  line {item['range']['start']['line'] + 1}: {item['message']}")
    return {"uri": uri}


assert ask("initialize", processId=None, rootUri=None, capabilities={})["capabilities"]["hoverProvider"]
send("initialized", params={})
document = open_text("right.mlir", RIGHT)
hover = ask("textDocument/hover", textDocument=document, position={"line": 1, "character": 9})
print("hover:", hover["contents"]["value"].replace("\n", " "))
definition = ask("textDocument/definition", textDocument=document, position={"line": 2, "character": 18})
print("definition: line", definition[0]["range"]["start"]["line"] + 1)
open_text("wrong.mlir", WRONG)
ask("shutdown")
send("exit", params={})
sys.exit(server.wait(timeout=60))
