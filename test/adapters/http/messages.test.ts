import { describe, expect, it } from 'vitest'
import { messagesIn } from '../../../adapters/http/errors/messages.ts'
import { errorCodes } from '../../../domain/kernel/error-codes.ts'
import { fieldCodes } from '../../../domain/kernel/field-codes.ts'
import { languageOf } from '../../../domain/text/languages.ts'

describe('the messages of errors', () => {
  const { en, de } = messagesIn

  it('are there for every code, in German as in English', () => {
    for (const [table, codes] of [
      ['errors', Object.keys(errorCodes)],
      ['fields', fieldCodes],
    ] as const)
      for (const { [table]: messages } of [en, de]) {
        expect(Object.keys(messages).toSorted()).toStrictEqual([...codes].toSorted())
        for (const message of Object.values(messages)) expect(message).toMatch(/^\p{Lu}.*\.$/u)
      }
  })
  it('are no English ones in German', () => {
    for (const table of ['errors', 'fields'] as const)
      for (const [code, message] of Object.entries(de[table])) {
        expect(Object.values(en[table])).not.toContain(message)
        expect([code, message]).not.toStrictEqual([code, expect.stringMatching(/\b(?:the|this|you|your|is|of|and)\b/)])
      }
  })
  it('tell the faults of a value apart, in both languages', () => {
    expect(Object.keys(de.reasons)).toStrictEqual(Object.keys(en.reasons))
    const all = [en, de].flatMap(({ reasons, fields }) => [...Object.values(reasons), fields.INVALID_FORMAT])
    expect(new Set(all).size).toBe(all.length)
  })
  it.each([
    ['de', 'de'],
    ['de-AT', 'de'],
    ['en-GB', 'en'],
    ['fr', 'en'],
    ['den', 'en'],
    ['', 'en'],
  ] as const)('are for the locale %j in %s', (locale, language) => {
    expect(languageOf(locale)).toBe(language)
  })
})
