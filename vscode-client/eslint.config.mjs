import js from "@eslint/js";
import tseslint from "typescript-eslint";

const node = { process: "readonly", console: "readonly", setTimeout: "readonly", clearTimeout: "readonly", document: "readonly", URLSearchParams: "readonly" };

export default tseslint.config(
  { ignores: ["dist/", "out/", "bundled/", "e2e/node_modules/"] },
  js.configs.recommended,
  {
    files: ["src/**/*.ts", "test/**/*.ts"],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { project: true } },
    rules: {
      complexity: ["error", 12],
      "max-lines": ["error", 300],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
    },
  },
  {
    // `node:test` returns promises that its runner awaits by itself.
    files: ["test/**/*.ts"],
    rules: { "@typescript-eslint/no-floating-promises": "off" },
  },
  { files: ["e2e/**/*.js", "e2e/**/*.cjs"], languageOptions: { sourceType: "commonjs", globals: { ...node, require: "readonly", exports: "writable", module: "writable" } } },
  {
    files: ["**/*.mjs"],
    languageOptions: { globals: node },
    rules: {
      complexity: ["error", 12],
      "max-lines": ["error", 300],
      // `const { unwanted: _, ...rest } = object` is how a key is left out.
      "no-unused-vars": ["error", { ignoreRestSiblings: true }],
    },
  },
);
