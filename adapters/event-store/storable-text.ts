/**
 * What Postgres can't keep in text: NUL, and halves of surrogate pairs. JSON.stringify writes both as escapes, in lower
 * case, and writes no others that look like them; an even number of backslashes before one means that it is mere text.
 */
const unstorableEscape = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/

/** Whether every string in a JSON text that JSON.stringify wrote can be stored. */
export function isStorable(json: string): boolean {
  return !json.includes('\\u') || !unstorableEscape.test(json)
}
