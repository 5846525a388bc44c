import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accountId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { decideEdit } from '../../../domain/messages/editing.ts'
import { editedFlags, messageFlags, sentFlags } from '../../../domain/messages/message-flags.ts'
import { isDeletable, isEditable, isReplyable } from '../../../domain/messages/message-types.ts'
import { isVerifiedFor } from '../../../domain/messages/verification.ts'
import { initialSettings } from '../../../domain/guild/state.ts'
import type { GuildFeature } from '../../../domain/guild/features.ts'

const ada = accountId(snowflake('1'))
const brian = accountId(snowflake('2'))
const minute_ms = 60_000
const now = timestamp(1_700_000_000_000)
const ago = (minutes: number) => timestamp(1_700_000_000_000 - minutes * minute_ms)

describe('the verification level of a guild', () => {
  const sound = { bot: false, isClaimed: true, emailVerified: true, registeredAt: ago(60) }
  const settled = { accountId: brian, roles: [], joinedAt: ago(60) }
  const guild = (verificationLevel: number, ...features: readonly GuildFeature[]) => ({
    ownerId: ada,
    features,
    settings: { ...initialSettings, verificationLevel },
  })

  it.each([
    [0, { emailVerified: false }, {}, true],
    [0, { isClaimed: false }, {}, true],
    [1, {}, {}, true],
    [1, { emailVerified: false }, {}, false],
    [1, { isClaimed: false }, {}, false],
    [1, { registeredAt: ago(1) }, { joinedAt: ago(1) }, true],
    [2, { registeredAt: ago(5) }, { joinedAt: ago(1) }, true],
    [2, { registeredAt: ago(4.99) }, {}, false],
    [2, { emailVerified: false }, {}, false],
    [3, {}, { joinedAt: ago(10) }, true],
    [3, {}, { joinedAt: ago(9.99) }, false],
    [3, { registeredAt: ago(4) }, { joinedAt: ago(10) }, false],
  ])('of %i lets send whom it is to let send: %j, %j', (level, account, member, may) => {
    expect(isVerifiedFor(guild(level), { ...settled, ...member }, { ...sound, ...account }, now)).toBe(may)
  })

  const nobody = { bot: false, isClaimed: false, emailVerified: false, registeredAt: now }
  it.each([
    ['the owner', { accountId: ada, roles: [], joinedAt: now }, nobody],
    ['a bot', { ...settled, joinedAt: now }, { ...nobody, bot: true }],
    ['any member holding at least one role', { accountId: brian, roles: ['3'], joinedAt: now }, nobody],
  ])('is bypassed by %s at every level', (_, member, account) => {
    for (const level of [0, 1, 2, 3]) expect(isVerifiedFor(guild(level), member, account, now)).toBe(true)
  })

  it('is at least LOW in a guild with DISCOVERABLE', () => {
    expect(isVerifiedFor(guild(0, 'DISCOVERABLE'), settled, { ...sound, emailVerified: false }, now)).toBe(false)
    expect(isVerifiedFor(guild(0, 'DISCOVERABLE'), settled, { ...sound, registeredAt: now }, now)).toBe(true)
  })
})

describe('what can be done to a message', () => {
  it('follows from its type', () => {
    const types = [0, 1, 2, 3, 4, 5, 6, 7, 18, 19, 21]
    expect(types.filter(isEditable)).toStrictEqual([0, 19])
    expect(types.filter(isReplyable)).toStrictEqual([0, 19])
    expect(types.filter(isDeletable)).toStrictEqual([0, 6, 7, 19])
  })

  it('is for a sender and an author who edits to set three flags, and for others to change one', () => {
    expect(sentFlags(0xffff)).toBe(4 | 4096 | 8192)
    expect(editedFlags(32, 0xffff, true)).toBe(32 | 4 | 4096 | 8192)
    expect(editedFlags(32 | 4096 | 4, 0, true)).toBe(32)
    expect(editedFlags(32 | 4096, 0xffff, false)).toBe(32 | 4096 | 4)
    expect(editedFlags(32 | 4096 | 4, 0, false)).toBe(32 | 4096)
  })
})

describe('editing', () => {
  const message = { authorId: ada, type: 0, content: 'before', flags: messageFlags.SUPPRESS_NOTIFICATIONS }
  const author = { accountId: ada, managing: 'MISSING_PERMISSIONS' } as const
  const moderator = { accountId: brian, managing: undefined }

  it('changes what differs', () => {
    expect(decideEdit(message, author, { content: 'after' })).toStrictEqual({ content: 'after' })
    expect(decideEdit(message, author, { content: 'before' })).toStrictEqual({})
    expect(decideEdit(message, author, { flags: 4 })).toStrictEqual({ flags: 4 })
    expect(decideEdit(message, moderator, { flags: 4 })).toStrictEqual({ flags: 4096 | 4 })
    expect(decideEdit({ ...message, type: 19 }, author, { content: 'after' })).toStrictEqual({ content: 'after' })
  })

  it.each([
    [moderator, { content: 'after' }, 'CANNOT_EDIT_OTHER_USER_MESSAGE'],
    [moderator, { content: 'before', flags: 4 }, 'CANNOT_EDIT_OTHER_USER_MESSAGE'],
    [moderator, { flags: 4, allowedMentions: {} }, 'CANNOT_EDIT_OTHER_USER_MESSAGE'],
    [{ accountId: brian, managing: 'MISSING_PERMISSIONS' }, { flags: 4 }, 'CANNOT_EDIT_OTHER_USER_MESSAGE'],
    [{ accountId: brian, managing: 'TWO_FACTOR_REQUIRED' }, { flags: 4 }, 'TWO_FACTOR_REQUIRED'],
  ] as const)('is refused to %j for %j', (editor, wanted, code) => {
    expect(decideEdit(message, editor, wanted)).toStrictEqual({ refused: code })
  })

  it('is refused of every message that nobody wrote, its author included', () => {
    for (const type of [1, 2, 4, 7, 18])
      for (const editor of [author, moderator])
        expect(decideEdit({ ...message, type }, editor, { flags: 4 })).toStrictEqual({
          refused: 'CANNOT_MODIFY_SYSTEM_WEBHOOK',
        })
  })

  it('never lets anybody but the author change what a message says, nor another flag than SUPPRESS_EMBEDS', () => {
    const managing = fc.constantFrom(undefined, 'MISSING_PERMISSIONS' as const, 'TWO_FACTOR_REQUIRED' as const)
    const flags = fc.nat({ max: 0xffff })
    fc.assert(
      fc.property(
        fc.record({ authorId: fc.constant(ada), type: fc.nat({ max: 25 }), content: fc.string(), flags }),
        fc.record({ accountId: fc.constantFrom(ada, brian), managing }),
        fc.record({ content: fc.option(fc.string(), { nil: undefined }), flags: fc.option(flags, { nil: undefined }) }),
        (given, editor, wanted) => {
          const decision = decideEdit(given, editor, wanted)
          if (decision.refused !== undefined) return
          const isAuthor = editor.accountId === ada
          if (!isAuthor) expect(decision).not.toHaveProperty('content')
          const changed = (decision.flags ?? given.flags) ^ given.flags
          expect(changed & ~(isAuthor ? sentFlags(-1) : messageFlags.SUPPRESS_EMBEDS)).toBe(0)
        },
      ),
    )
  })
})
