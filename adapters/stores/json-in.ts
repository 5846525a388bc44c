import { isStorable } from '../../domain/text/normalise.ts'

/** The JSON of a text from a store; undefined for what is no JSON, and for JSON with text that can't be stored: no store writes that. */
export function jsonIn(text: string): unknown {
  try {
    let isKept = true
    const value: unknown = JSON.parse(text, (name, member: unknown) => {
      isKept &&= isStorable(name) && (typeof member !== 'string' || isStorable(member))
      return member
    })
    return isKept ? value : undefined
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}
