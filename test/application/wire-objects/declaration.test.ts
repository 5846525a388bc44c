import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { objectOf, wireObject, type ObjectOf } from '../../../application/wire-objects/declaration.ts'

// The compiler reads this file too (tsc -b), and checks each expected error.

const voter = wireObject('Voter', { id: z.string(), bot: z.literal(true).optional() })
const poll = wireObject('Poll', {
  question: z.string().describe('What is asked.'),
  votes: z.int().optional(),
  voters: z.array(voter).readonly(),
  closing: z.object({ at: z.string(), by: z.string().optional() }).nullable(),
})

const given = { question: 'Tea?', voters: [{ id: '1' }], closing: { at: 'now' } } as const
const isCounted: boolean = given.voters.length > 0

describe('a wire object', () => {
  it('has one type, all of whose members are read only', () => {
    expectTypeOf<ObjectOf<typeof poll>>().toEqualTypeOf<{
      readonly question: string
      readonly votes?: number | undefined
      readonly voters: readonly { readonly id: string; readonly bot?: true | undefined }[]
      readonly closing: { readonly at: string; readonly by?: string | undefined } | null
    }>()
  })
  it('is what its function gives, with the members that it has this time', () => {
    expect(objectOf(poll, { ...given, ...(isCounted ? { votes: 1 } : {}) })).toEqual({ ...given, votes: 1 })
    expect(objectOf(voter, { id: '1', ...(isCounted ? { bot: true } : {}) })).toEqual({ id: '1', bot: true })
  })
  it('does not compile without one of its members, or with one of another type', () => {
    const { question: _, ...unasked } = given
    const attempts = [
      // @ts-expect-error question is missing
      () => objectOf(poll, unasked),
      // @ts-expect-error a question is a text
      () => objectOf(poll, { ...given, question: 1 }),
      // @ts-expect-error a voter has an id
      () => objectOf(poll, { ...given, voters: [{}] }),
    ]
    expect(attempts).toHaveLength(3)
  })
  it('does not compile with a member that is not declared, spread or inside another one either', () => {
    const attempts = [
      // @ts-expect-error there is no answer
      () => objectOf(poll, { ...given, answer: 'Yes' }),
      // @ts-expect-error there is no answer
      () => objectOf(poll, { ...given, ...(isCounted ? { answer: 'Yes' } : {}) }),
      // @ts-expect-error a closing has no reason
      () => objectOf(poll, { ...given, closing: { at: 'now', reason: 'Late' } }),
      // @ts-expect-error a voter has no name
      () => objectOf(poll, { ...given, voters: [{ id: '1', name: 'Ada' }] }),
    ]
    expect(attempts).toHaveLength(4)
  })
})
