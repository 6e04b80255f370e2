-- What a user does in Neovim, step by step. Each step waits for what it causes; what was seen is written as JSON to the file
-- named by RESULT: the steps that were done, and the error if there was one.
local seen = { done = {} }

local function wait(what, is_there)
  assert(vim.wait(60000, is_there, 20), "not seen: " .. what)
  table.insert(seen.done, what)
end

local function client()
  return vim.lsp.get_clients({ name = "dllint", bufnr = 0 })[1]
end

--- The window that floats above the text.
local function float()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= "" then
      return window
    end
  end
end

local function look(case)
  vim.cmd.edit(case.file)
  wait("the server", function()
    return client() and client().initialized
  end)
  seen.encoding = client().offset_encoding
  seen.root = client().root_dir
  seen.formats = client():supports_method("textDocument/formatting")
  wait("diagnostics", function()
    return #vim.diagnostic.get(0) > 0
  end)
  seen.diagnostics = vim.diagnostic.get(0)
  wait("inlay hints", function()
    return #vim.lsp.inlay_hint.get({ bufnr = 0 }) > 0
  end)
  seen.hints = vim.lsp.inlay_hint.get({ bufnr = 0 })
  vim.api.nvim_win_set_cursor(0, case.hover)
  vim.lsp.buf.hover()
  wait("hover", float)
  seen.hover = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(float()), 0, -1, false)
  vim.api.nvim_win_close(float(), true)
end

local function symbols()
  local answer = vim.lsp.buf_request_sync(0, "textDocument/documentSymbol", {
    textDocument = vim.lsp.util.make_text_document_params(),
  }, 60000)
  seen.symbols = answer and answer[client().id].result
end

local function repair(case)
  local function apply(filter)
    local before = vim.b.changedtick
    vim.lsp.buf.code_action({ apply = true, filter = filter })
    wait("an edit", function()
      return vim.b.changedtick ~= before
    end)
  end
  vim.api.nvim_win_set_cursor(0, case.fault)
  apply(function(action)
    return vim.startswith(action.title, case.fix)
  end)
  wait("no diagnostics", function()
    return #vim.diagnostic.get(0) == 0
  end)
  vim.cmd("silent write")
end

local function run(case)
  vim.cmd.edit(case.script)
  wait("the server, for another file", client)
  vim.cmd("DllintDiagnose --once")
  wait("the end of the run", function()
    return vim.fn.execute("messages"):find("dllint diagnose: ", 1, true) ~= nil
  end)
  seen.messages = vim.fn.execute("messages")
end

local function all()
  local case = vim.json.decode(vim.env.CASE)
  look(case)
  symbols()
  repair(case)
  run(case)
end

local is_done, trouble = xpcall(all, debug.traceback)
seen.error = not is_done and trouble or nil
vim.fn.writefile({ vim.json.encode(seen) }, vim.env.RESULT)
vim.cmd("qa!")
