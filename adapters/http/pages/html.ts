/** Markup that is safe to send: its values are escaped. Only `html` makes it. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Value = string | number | Html | readonly Html[]

const entities: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
])

/** A template of markup. Values are escaped, as texts and in quoted attributes; markup made by `html` is not escaped again. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.map((part, index) => part + markupOf(values[index] ?? '')).join(''))
}

export const nothing = html``

function markupOf(value: Value): string {
  if (value instanceof Html) return value.text
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value))
  return value.map(({ text }) => text).join('')
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities.get(character) ?? character)
}
