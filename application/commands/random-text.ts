import type { CommandContext } from './command-context.ts'

export const alphanumeric = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Random text of `length` characters from an alphabet of at most 256 characters, each equally likely. */
export function randomText(context: CommandContext, alphabet: string, length: number): string {
  // Bytes at or above this bound are drawn again: otherwise the first characters of the alphabet would be more likely.
  const fairBelow = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    for (const byte of context.randomBytes(length)) {
      if (byte < fairBelow && text.length < length) text += alphabet.charAt(byte % alphabet.length)
    }
  }
  return text
}
