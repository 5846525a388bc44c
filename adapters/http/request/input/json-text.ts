const [quote, backslash] = ['"', 0x5c]

/** The index of the closing quote of the JSON string that opens at `start`; the end of the text if it does not close. */
export function closingQuote(text: string, start: number): number {
  for (let at = text.indexOf(quote, start + 1); at !== -1; at = text.indexOf(quote, at + 1)) {
    let backslashes = 0
    while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes += 1
    if (backslashes % 2 === 0) return at
  }
  return text.length
}
