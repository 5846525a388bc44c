import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accountId, roleId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import {
  everyMention,
  mentionsIn,
  namedInMessage_max,
  spokenMentions,
  type AllowedMentions,
  type MentionScope,
} from '../../../domain/messages/mentions.ts'
import { expectLinear } from '../../support/growth.ts'

const account = (number: number) => accountId(snowflake(String(number)))
const role = (number: number) => roleId(snowflake(String(number)))
const scope: MentionScope = {
  isNameable: (id) => Number(id) < 100,
  roles: [
    { id: role(1), mentionable: true },
    { id: role(2), mentionable: false },
  ],
  mayNameAll: false,
  hasEveryone: true,
}
const mighty = { ...scope, mayNameAll: true }
const only = (allowed: Partial<AllowedMentions>): AllowedMentions => ({
  parse: [],
  accounts: [],
  roles: [],
  repliedUser: true,
  ...allowed,
})

describe('whom a text names', () => {
  it('is told by ids, each once, in the order of the text', () => {
    expect(spokenMentions('<@5> and <@!6>, <@5> <@&1> <@&1>')).toStrictEqual({
      accounts: [account(5), account(6)],
      roles: [role(1)],
      everyone: false,
      here: false,
    })
  })

  it.each(['<@05>', '<@9223372036854775808>', '<@x>', '<@>', '< @5>', '<@5', '@5', '`<@5>`', '```\n<@5>\n```'])(
    'is nobody in %s',
    (text) => {
      expect(spokenMentions(text)).toMatchObject({ accounts: [], roles: [] })
    },
  )

  it.each([
    ['@everyone look', true, false],
    ['look, @here!', false, true],
    ['@everyone and @here', true, true],
    ['me@everyone.example', false, false],
    ['@everyonesplain', false, false],
    ['`@everyone`', false, false],
  ])('is everyone, or those who are there, in %j', (text, everyone, here) => {
    expect(spokenMentions(text)).toMatchObject({ everyone, here })
  })

  it('is at most a hundred accounts, and a hundred roles', () => {
    const text = Array.from({ length: 150 }, (_, index) => `<@${index + 1}><@&${index + 1}>`).join('')
    const { accounts, roles } = spokenMentions(text)
    expect([accounts.length, roles.length]).toStrictEqual([namedInMessage_max, namedInMessage_max])
  })

  it.each(['`', '```', '<@', '<@&', '`a', '@everyone ', '<@1> ', '`\n'])(
    'is found in a time that grows with the text alone, of %j repeated',
    (piece) => {
      expectLinear(spokenMentions, piece.repeat(80_000 / piece.length))
    },
  )
})

describe('whom a message names', () => {
  const text = '<@5> <@500> <@&1> <@&2> <@&3> @everyone @here'
  const spoken = spokenMentions(text)

  it('is limited to recipients there, and to roles that everybody may mention', () => {
    expect(mentionsIn(spoken, everyMention, scope)).toStrictEqual({
      mentions: [account(5)],
      mentionRoles: [role(1)],
      mentionsEveryone: false,
      mentionsHere: false,
    })
  })

  it('is every role, and everyone, where the author may name them', () => {
    expect(mentionsIn(spoken, everyMention, mighty)).toStrictEqual({
      mentions: [account(5)],
      mentionRoles: [role(1), role(2)],
      mentionsEveryone: true,
      mentionsHere: true,
    })
  })

  it('is not everyone where naming everyone is disabled', () => {
    const disabled = { ...mighty, hasEveryone: false }
    expect(mentionsIn(spoken, everyMention, disabled)).toMatchObject({ mentionsEveryone: false, mentionsHere: false })
  })

  it.each([
    [only({}), [], [], false],
    [only({ parse: ['users'] }), [account(5)], [], false],
    [only({ parse: ['roles'] }), [], [role(1), role(2)], false],
    [only({ parse: ['everyone'] }), [], [], true],
    [only({ accounts: [account(5), account(6)] }), [account(5)], [], false],
    [only({ roles: [role(2)] }), [], [role(2)], false],
  ])('is, of those, whom the author wants to be told', (allowed, mentions, mentionRoles, mentionsEveryone) => {
    expect(mentionsIn(spoken, allowed, mighty)).toMatchObject({ mentions, mentionRoles, mentionsEveryone })
  })

  it('is the author of what it replies to, unless that is not wanted or they are gone', () => {
    const nobody = spokenMentions('hello')
    expect(mentionsIn(nobody, everyMention, scope, account(7)).mentions).toStrictEqual([account(7)])
    expect(mentionsIn(nobody, only({}), scope, account(7)).mentions).toStrictEqual([account(7)])
    expect(mentionsIn(nobody, only({ repliedUser: false }), scope, account(7)).mentions).toStrictEqual([])
    expect(mentionsIn(nobody, everyMention, scope, account(700)).mentions).toStrictEqual([])
  })

  it('never includes anybody that was not allowed', () => {
    const ids = fc.integer({ min: 1, max: 200 })
    const piece = fc.oneof(
      ids.map((id) => `<@${id}>`),
      ids.map((id) => `<@&${id % 5}>`),
      fc.constantFrom('@everyone', '@here', '`', '```', ' ', '\n', 'text'),
    )
    const allowedMentions = fc.record({
      parse: fc.subarray(['users', 'roles', 'everyone'] as const),
      accounts: fc.array(ids.map(account), { maxLength: 3 }),
      roles: fc.array(ids.map(role), { maxLength: 3 }),
      repliedUser: fc.boolean(),
    })
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 30 }),
        allowedMentions,
        fc.boolean(),
        fc.boolean(),
        fc.option(ids.map(account), { nil: undefined }),
        (pieces, allowed, mayNameAll, hasEveryone, replied) => {
          const said = spokenMentions(pieces.join(''))
          const named = mentionsIn(said, allowed, { ...scope, mayNameAll, hasEveryone }, replied)
          for (const id of named.mentions) {
            expect(scope.isNameable(id)).toBe(true)
            const isReply = id === replied && allowed.repliedUser
            const isSpoken = said.accounts.includes(id)
            const isWanted = allowed.parse.includes('users') || allowed.accounts.includes(id)
            expect(isReply || (isSpoken && isWanted)).toBe(true)
          }
          for (const id of named.mentionRoles) {
            const known = scope.roles.find((each) => each.id === id)
            expect(known?.mentionable === true || (known !== undefined && mayNameAll)).toBe(true)
            expect(allowed.parse.includes('roles') || allowed.roles.includes(id)).toBe(true)
          }
          const mayAll = mayNameAll && hasEveryone && allowed.parse.includes('everyone')
          expect(named.mentionsEveryone).toBe(mayAll && (said.everyone || said.here))
          expect(named.mentionsHere && !named.mentionsEveryone).toBe(false)
          expect(new Set(named.mentions).size).toBe(named.mentions.length)
        },
      ),
    )
  })
})
