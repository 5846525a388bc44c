export const title_chars_max = 70
export const description_chars_max = 350
export const green = 0x2da44e
export const red = 0xcf222e

/** At most so many characters, the last of which says that more followed. */
export function cut(said: string, chars_max: number): string {
  const characters = Array.from(said)
  return characters.length <= chars_max ? said : `${characters.slice(0, chars_max - 1).join('')}…`
}
