import { eventCatalogs } from '../domain/aggregates.ts'

/** Longer text is cut. */
const shown_characters_max = 80

/** The members of events with personal data, including their names as columns: dateOfBirth is date_of_birth. */
const personal = new Set(
  Object.values(eventCatalogs)
    .flatMap(({ events }) => Object.values(events).flatMap((event) => event.personal ?? []))
    .flatMap((member) => [member, member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]),
)

/** The value of a column for the screen. Personal data shows only its first character and its length, even inside JSON. */
export function shortened(column: string, value: string | null): string {
  if (value === null) return 'null'
  if (personal.has(column)) return hidden(value)
  const text = value.replaceAll(memberOfJson, (_whole, member: string, gap: string, content: string) =>
    personal.has(member) ? `"${member}"${gap}"${hidden(content)}"` : `"${member}"${gap}"${content}"`,
  )
  return text.length > shown_characters_max
    ? `${text.slice(0, shown_characters_max)}… (${text.length} characters)`
    : text
}

/** A member of a JSON object whose value is text. */
const memberOfJson = /"(\w+)"(\s*:\s*)"((?:[^"\\]|\\.)*)"/g

function hidden(value: string): string {
  const characters = Array.from(value)
  return `${characters[0] ?? ''}… (${characters.length} characters)`
}
