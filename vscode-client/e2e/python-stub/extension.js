// Offers the interpreters named by DLLINT_STUB_INTERPRETERS; the command goes on to the next one.
const path = require("node:path");
const vscode = require("vscode");

const interpreters = process.env.DLLINT_STUB_INTERPRETERS.split(path.delimiter);

exports.activate = (context) => {
  const changed = new vscode.EventEmitter();
  let chosen = 0;
  const choose = () => {
    chosen = (chosen + 1) % interpreters.length;
    changed.fire({ path: interpreters[chosen] });
  };
  context.subscriptions.push(vscode.commands.registerCommand("stub.choose", choose), changed);
  return {
    ready: Promise.resolve(),
    environments: {
      getActiveEnvironmentPath: () => ({ path: interpreters[chosen] }),
      resolveEnvironment: async (environment) => ({ executable: { uri: vscode.Uri.file(environment.path) } }),
      onDidChangeActiveEnvironmentPath: changed.event,
    },
  };
};
