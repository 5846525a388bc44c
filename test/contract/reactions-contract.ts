import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ReactionChange, ReactionOutcome, Reactions } from '../../application/ports/reactions.ts'
import { messageTypes } from '../../domain/messages/message-types.ts'
import { accountId, emojiId, type AccountId, type MessageId } from '../../domain/ids/ids.ts'
import { emojiKey, type ReactionEmoji } from '../../domain/messages/reactions.ts'
import {
  ada,
  at,
  audience,
  bob,
  general,
  held,
  id,
  nextNotices,
  other,
  posted,
  unrecorded,
} from './messages-fixtures.ts'
import type { OpenedMessages } from './messages-contract.ts'

export interface OpenedReactions extends OpenedMessages {
  readonly reactions: Reactions
}

const thumb: ReactionEmoji = { id: null, name: '👍', animated: false }
const heart: ReactionEmoji = { id: null, name: '❤️', animated: false }
const wave: ReactionEmoji = { id: emojiId(id(501)), name: 'wave', animated: true }
const letters = Array.from({ length: 40 }, (_, index): ReactionEmoji => {
  return { id: emojiId(id(600 + index)), name: `letter_${index}`, animated: false }
})

/** The behaviour of every adapter of the port Reactions. `open` returns an empty one for each test. */
export function reactionsContract(name: string, open: () => Promise<OpenedReactions>): void {
  describe(`${name}, as reactions,`, () => {
    let opened: OpenedReactions
    beforeEach(async () => {
      opened = await open()
    })
    afterEach(() => opened.close())
    const of = async (message: MessageId) => {
      const found = await opened.messages.find(general, message)
      return found?.reactions?.map((group) => [emojiKey(group), group.count])
    }
    const change = (wanted: Wanted): Promise<ReactionOutcome> => opened.reactions.change(changeOf(wanted))

    it('count one for each account and emoji, in the order of the first ones, and notify of each that is added', async () => {
      const { messages, reactions, notices } = opened
      await posted(messages, [at(0)])
      const from = 0n
      expect(await change({ account: ada, emoji: thumb })).toBe('added')
      expect(await change({ account: bob, emoji: wave, sessionId: 'abc' })).toBe('added')
      expect(await change({ account: bob, emoji: thumb })).toBe('added')
      expect(await change({ account: bob, emoji: thumb })).toBe('present')
      expect(await change({ account: ada, emoji: { ...wave, name: 'renamed' } })).toBe('added')
      const [found] = await messages.page(general, { limit: 1 })
      expect(found?.reactions).toStrictEqual([
        { ...thumb, count: 2 },
        { ...wave, count: 2 },
      ])
      expect((await messages.findMany([{ channelId: general, messageId: at(0) }]))[0]?.reactions).toStrictEqual(
        found?.reactions,
      )
      const told = (await nextNotices(notices, from, 5)).filter(({ kind }) => kind !== 'created')
      expect(told.map(({ number: _, ...notice }) => notice)).toStrictEqual(
        [
          { accountId: ada, emoji: thumb, sessionId: null },
          { accountId: bob, emoji: wave, sessionId: 'abc' },
          { accountId: bob, emoji: thumb, sessionId: null },
          { accountId: ada, emoji: { ...wave, animated: false }, sessionId: null },
        ].map((one) => ({ ...audience(), after: held, kind: 'reaction_added', messageId: at(0), ...one })),
      )
      const at0 = { channelId: general, messageId: at(0) }
      expect(await reactions.accountsOf({ ...at0, emoji: '👍' }, undefined, 10)).toStrictEqual([ada, bob])
      expect(await reactions.accountsOf({ ...at0, emoji: '👍' }, undefined, 1)).toStrictEqual([ada])
      expect(await reactions.accountsOf({ ...at0, emoji: '👍' }, ada, 10)).toStrictEqual([bob])
      expect(await reactions.accountsOf({ ...at0, emoji: emojiKey(heart) }, undefined, 10)).toStrictEqual([])
      const own = await reactions.of([ada], [at0, { channelId: general, messageId: at(1) }])
      expect(own.map(({ emoji }) => emoji).toSorted()).toStrictEqual([emojiKey(wave), '👍'].toSorted())
    })

    it('are not the first with an emoji unless they may be, and keep to their bounds', async () => {
      await posted(opened.messages, [at(0)])
      expect(await change({ account: ada, emoji: thumb, mayBeFirst: false })).toBe('new')
      expect(await change({ account: ada, emoji: thumb })).toBe('added')
      expect(await change({ account: bob, emoji: thumb, mayBeFirst: false })).toBe('added')
      expect(await change({ account: accountId(id(73)), emoji: thumb, users_max: 2 })).toBe('full')
      expect(await change({ account: ada, emoji: thumb, users_max: 2 })).toBe('present')
      expect(await change({ account: ada, emoji: heart, emojis_max: 1 })).toBe('full')
      expect(await change({ account: ada, emoji: heart, emojis_max: 2 })).toBe('added')
      expect(await of(at(0))).toStrictEqual([
        ['👍', 2],
        ['❤️', 1],
      ])
    })

    it('exist on messages that the caller sees in their channel alone', async () => {
      await posted(opened.messages, [at(0)], { type: messageTypes.threadCreated })
      expect(await change({ account: ada, emoji: thumb, without: [messageTypes.threadCreated] })).toBe('unknown')
      expect(await change({ account: ada, emoji: thumb, message: at(9) })).toBe('unknown')
      expect(await change({ kind: 'remove_all', message: at(9) })).toBe('unknown')
      const elsewhere = { ...changeOf({ account: ada, emoji: thumb }), audience: audience({ channelId: other }) }
      expect(await opened.reactions.change(elsewhere)).toBe('unknown')
    })

    it('are removed one, an emoji or all at once, and notify even if there were none', async () => {
      const { messages, notices } = opened
      await posted(messages, [at(0)])
      for (const emoji of [thumb, heart, wave]) {
        await change({ account: ada, emoji })
        await change({ account: bob, emoji })
      }
      const from = (await nextNotices(notices, 0n, 7)).at(-1)?.number ?? 0n
      expect(await change({ kind: 'remove', account: ada, emoji: wave, sessionId: 's' })).toBe('removed')
      expect(await of(at(0))).toStrictEqual([
        ['👍', 2],
        ['❤️', 2],
        [emojiKey(wave), 1],
      ])
      await change({ kind: 'remove', account: ada, emoji: wave })
      await change({ kind: 'remove', account: bob, emoji: wave })
      await change({ kind: 'remove_emoji', emoji: thumb })
      expect(await of(at(0))).toStrictEqual([['❤️', 2]])
      await change({ kind: 'remove_all' })
      expect(await of(at(0))).toBeUndefined()
      expect((await nextNotices(notices, from, 5)).map(({ number: _, ...notice }) => notice)).toStrictEqual(
        [
          { kind: 'reaction_removed', accountId: ada, emoji: { ...wave, animated: false }, sessionId: 's' },
          { kind: 'reaction_removed', accountId: ada, emoji: { ...wave, animated: false }, sessionId: null },
          { kind: 'reaction_removed', accountId: bob, emoji: { ...wave, animated: false }, sessionId: null },
          { kind: 'reactions_of_emoji_removed', emoji: thumb },
          { kind: 'reactions_removed' },
        ].map((one) => ({ ...audience(), after: held, messageId: at(0), ...one })),
      )
      expect(await change({ account: ada, emoji: thumb })).toBe('added')
    })

    it('go with their message, however it is deleted, and with their account', async () => {
      const { messages, reactions } = opened
      const ids = [0, 1, 2, 3, 4].map((second) => at(second))
      await posted(messages, ids)
      for (const message of ids) {
        await change({ account: ada, emoji: thumb, message })
        await change({ account: bob, emoji: thumb, message })
        await change({ account: bob, emoji: heart, message })
      }
      await messages.remove([at(0)], { ...audience(), bulk: false, unrecorded: unrecorded(at(0), 1) })
      await messages.remove([at(1)], { ...audience(), bulk: true })
      expect((await reactions.ofAccount(ada, undefined, 10)).map(({ messageId }) => messageId)).toStrictEqual(
        [2, 3, 4].map((second) => at(second)),
      )
      const [first, second] = await reactions.ofAccount(bob, undefined, 2)
      expect(await reactions.ofAccount(bob, second, 10)).toHaveLength(4)
      expect(await reactions.ofAccount(bob, first, 10)).toHaveLength(5)
      await reactions.removeAllOf(bob)
      expect(await reactions.ofAccount(bob, undefined, 10)).toStrictEqual([])
      expect(await of(at(2))).toStrictEqual([['👍', 1]])
      await reactions.removeAllOf(ada)
      expect(await of(at(2))).toBeUndefined()
      await change({ account: ada, emoji: thumb, message: at(2) })
      await messages.removeOfAuthor(ada, [audience()])
      expect(await reactions.ofAccount(ada, undefined, 10)).toStrictEqual([])
    })

    it('that many add at once keep to the bounds, to the last one', async () => {
      await posted(opened.messages, [at(0)])
      const accounts = Array.from({ length: 50 }, (_, index) => accountId(id(1000 + index)))
      const kinds = await Promise.all(
        letters.map((emoji, index) => change({ account: accountAt(accounts, index), emoji })),
      )
      expect(kinds.filter((outcome) => outcome === 'added')).toHaveLength(30)
      expect(kinds.filter((outcome) => outcome === 'full')).toHaveLength(10)
      const [group] = (await opened.messages.find(general, at(0)))?.reactions ?? []
      if (!group) throw new Error('nobody reacted')
      const users = await Promise.all(accounts.map((account) => change({ account, emoji: group, users_max: 40 })))
      const present = users.filter((outcome) => outcome === 'present')
      expect(users.filter((outcome) => outcome === 'added')).toHaveLength(40 - present.length)
      expect((await of(at(0)))?.[0]).toStrictEqual([emojiKey(group), 40])
    })

    it('count as a model does, whatever comes in whatever order, some of it at once', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(anyChange, { minLength: 1, maxLength: 4 }), { maxLength: 12 }),
          async (turns) => {
            await opened.messages.remove([at(0)], { ...audience(), bulk: false })
            await posted(opened.messages, [at(0)])
            const model = new Map<string, Set<string>>()
            for (const turn of turns) {
              const outcomes = await Promise.all(turn.map(change))
              for (const [index, wanted] of turn.entries()) expect(outcomes[index]).toBe(modelled(model, wanted))
            }
            expect((await of(at(0))) ?? []).toStrictEqual([...model].map(([key, accounts]) => [key, accounts.size]))
            for (const [emoji, accounts] of model) {
              const found = await opened.reactions.accountsOf(
                { channelId: general, messageId: at(0), emoji },
                undefined,
                99,
              )
              expect(found).toStrictEqual([...accounts].toSorted())
            }
          },
        ),
        { numRuns: 20 },
      )
    })
  })
}

interface Wanted {
  readonly kind?: ReactionChange['kind']
  readonly account?: AccountId
  readonly emoji?: ReactionEmoji
  readonly message?: MessageId
  readonly sessionId?: string
  readonly mayBeFirst?: boolean
  readonly users_max?: number
  readonly emojis_max?: number
  readonly without?: ReactionChange['without']
}

function changeOf({ kind = 'add', account = ada, emoji = thumb, message = at(0), ...more }: Wanted): ReactionChange {
  const place = { messageId: message, audience: audience(), without: more.without ?? [] }
  const { sessionId = null, mayBeFirst = true, users_max = 1000, emojis_max = 30 } = more
  switch (kind) {
    case 'add':
      return { kind, ...place, emoji, accountId: account, sessionId, mayBeFirst, users_max, emojis_max }
    case 'remove':
      return { kind, ...place, emoji, accountId: account, sessionId }
    case 'remove_emoji':
      return { kind, ...place, emoji }
    case 'remove_all':
      return { kind, ...place }
  }
}

const anyChange: fc.Arbitrary<Wanted> = fc.record({
  kind: fc.constantFrom('add', 'add', 'add', 'remove', 'remove', 'remove_emoji', 'remove_all'),
  account: fc.constantFrom(ada, bob, accountId(id(73))),
  emoji: fc.constantFrom(thumb, heart, wave),
  mayBeFirst: fc.boolean(),
  emojis_max: fc.constant(2),
  users_max: fc.constant(2),
})

function modelled(
  model: Map<string, Set<string>>,
  { kind, account = ada, emoji = thumb, ...more }: Wanted,
): ReactionOutcome {
  const key = emojiKey(emoji)
  const group = model.get(key)
  if (kind === 'remove_all') model.clear()
  else if (kind === 'remove_emoji') model.delete(key)
  else if (kind === 'remove') {
    group?.delete(account)
    if (group?.size === 0) model.delete(key)
  }
  if (kind !== 'add') return 'removed'
  if (group?.has(account)) return 'present'
  if (!group && more.mayBeFirst === false) return 'new'
  if ((group?.size ?? 0) >= (more.users_max ?? 0) || (!group && model.size >= (more.emojis_max ?? 0))) return 'full'
  model.set(key, (group ?? new Set()).add(account))
  return 'added'
}

function accountAt(accounts: readonly AccountId[], index: number): AccountId {
  return accounts[index] ?? ada
}
