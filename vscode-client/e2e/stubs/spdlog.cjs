// Stands in for the native module `@vscode/spdlog`, which writes log files. Output channels with `log: true` show what is
// in these files, so they would stay empty without it.
const fs = require("node:fs");
const path = require("node:path");

const LEVELS = ["trace", "debug", "info", "warning", "error", "critical"];

class Logger {
  constructor(_type, name, file) {
    this.name = name;
    this.file = file;
    this.level = 2;
    this.raw = false;
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.closeSync(fs.openSync(file, "a"));
  }

  write(level, message) {
    if (level < this.level) return;
    const stamp = new Date().toISOString().replace("T", " ").replace("Z", "");
    fs.appendFileSync(this.file, this.raw ? message : `${stamp} [${LEVELS[level]}] ${message}\n`);
  }

  trace(message) { this.write(0, message); }
  debug(message) { this.write(1, message); }
  info(message) { this.write(2, message); }
  warn(message) { this.write(3, message); }
  error(message) { this.write(4, message); }
  critical(message) { this.write(5, message); }
  getLevel() { return this.level; }
  setLevel(level) { this.level = level; }
  clearFormatters() { this.raw = true; }
  setPattern() {}
  flush() {}
  drop() {}
}

exports.version = 0;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = async (name, file) => new Logger("rotating", name, file);
exports.createAsyncRotatingLogger = async (name, file) => new Logger("rotating_async", name, file);
