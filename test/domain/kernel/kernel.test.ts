import { describe, expect, it } from 'vitest'
import { invite } from '../../../domain/invite/invite.ts'
import { accept, fold, refuse } from '../../../domain/kernel/decider.ts'
import { errorCodes } from '../../../domain/kernel/error-codes.ts'
import { fieldCodes } from '../../../domain/kernel/field-codes.ts'
import { field, refusal } from '../../../domain/kernel/refusal.ts'
import { categories } from '../../../domain/aggregates.ts'
import { categoryOf, idOf, streamName } from '../../../domain/streams.ts'
import { hasEnded, msOf, secondsAfter, timestamp } from '../../../domain/kernel/timestamp.ts'

describe('a stream', () => {
  it('is named by its category and its id', () => {
    expect(streamName('guild', '81')).toBe('guild-81')
    for (const category of categories) {
      expect(categoryOf(streamName(category, 'x'))).toBe(category)
      expect(idOf(streamName(category, 'x'))).toBe('x')
    }
  })

  it('keeps hyphens in its id', () => {
    expect(categoryOf('invite-my-town')).toBe('invite')
    expect(idOf('invite-my-town')).toBe('my-town')
  })

  it('has no category where its name is not one of ours', () => {
    for (const name of ['', '-', 'guild', 'guildx', 'guilds-81', '-guild-81', 'Guild-81', 'poll-1']) {
      expect(categoryOf(name)).toBeUndefined()
    }
  })
})

describe('a timestamp', () => {
  it('is ISO 8601 in UTC with milliseconds, so that texts compare as instants do', () => {
    const at = timestamp(Date.UTC(2026, 4, 1, 12))
    expect(at).toBe('2026-05-01T12:00:00.000Z')
    expect(msOf(at)).toBe(Date.UTC(2026, 4, 1, 12))
    expect(secondsAfter(at, 0.001)).toBe('2026-05-01T12:00:00.001Z')
    expect(secondsAfter(at, 604_800)).toBe('2026-05-08T12:00:00.000Z')
    expect(at < secondsAfter(at, 1)).toBe(true)
  })
})

describe('a decision', () => {
  it('accepts with events or with none, or refuses with a code and fields', () => {
    expect(accept()).toStrictEqual({ outcome: 'accepted', events: [] })
    expect(accept('one', 'two')).toStrictEqual({ outcome: 'accepted', events: ['one', 'two'] })
    const entry = field('email', 'EMAIL_ALREADY_IN_USE')
    expect(entry).toStrictEqual({ path: 'email', code: 'EMAIL_ALREADY_IN_USE' })
    const reason = { code: 'INVALID_FORM_BODY', fields: [entry], details: {} }
    expect(refusal('INVALID_FORM_BODY', entry)).toStrictEqual(reason)
    expect(refuse('INVALID_FORM_BODY', entry)).toStrictEqual({ outcome: 'refused', refusal: reason })
  })

  it('is made on the state after all events', () => {
    expect(fold(invite, [])).toBe(invite.initial)
  })
})

describe('the codes', () => {
  it('are upper snake case, with a status of 400-599', () => {
    for (const [code, status] of Object.entries(errorCodes)) {
      expect(code).toMatch(/^[A-Z][A-Z0-9_]*$/)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(600)
    }
  })

  it('are listed once for fields', () => {
    expect(new Set(fieldCodes).size).toBe(fieldCodes.length)
    for (const code of fieldCodes) expect(code).toMatch(/^[A-Z][A-Z0-9_]*$/)
  })
})

describe('what lasts until an instant', () => {
  it('is over at that instant, and not a millisecond before', () => {
    const end = timestamp(Date.UTC(2027, 0, 1))
    expect([-1, 0, 1].map((ms) => hasEnded(end, timestamp(msOf(end) + ms)))).toEqual([false, true, true])
  })
})
