import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { streamName } from '../../domain/streams.ts'
import { happens } from './support/happenings.ts'
import { instance, type Instance } from './support/instance.ts'
import { userCommands, type NewAccount, type UserCommands } from './support/user-commands.ts'

let site: Instance
let ada: NewAccount
let brian: NewAccount
let newAccount: UserCommands['newAccount']

beforeAll(async () => {
  site = await instance()
  ;({ newAccount } = userCommands(() => site))
  ada = await newAccount()
  brian = await newAccount()
})
afterAll(() => site.close())

const admin = (...words: readonly string[]) => site.guildhall(['admin', ...words])
async function listed(): Promise<string> {
  await site.project()
  return (await admin('list')).output
}

describe('guildhall admin', () => {
  it('lists who holds ACLs, and takes away those that are named, or all', async () => {
    expect(await listed()).toBe("Nobody holds Admin ACLs: guildhall admin grant <who> '*' makes the first\n")
    await admin('grant', ada.tag, '*')
    await admin('grant', brian.email, 'admin:authenticate', 'audit_log:view')
    expect(await listed()).toBe(
      `${ada.id}  ${ada.tag}  *\n${brian.id}  ${brian.tag}  admin:authenticate audit_log:view\n`,
    )
    expect(await admin('revoke', brian.tag, 'audit_log:view')).toMatchObject({
      code: 0,
      output: `Account ${brian.id} now holds: admin:authenticate\n`,
    })
    expect(await admin('revoke', ada.id)).toMatchObject({ code: 0, output: `Account ${ada.id} holds no ACLs now\n` })
    expect(await listed()).toBe(`${brian.id}  ${brian.tag}  admin:authenticate\n`)
  })

  it('takes a username alone, in any case of letters, where nobody else has it', async () => {
    const [username = ''] = ada.tag.split('#')
    await site.project()
    expect(await admin('grant', username.toLowerCase(), 'jobs:view')).toMatchObject({
      code: 0,
      output: `Account ${ada.id} now holds: jobs:view\n`,
    })
    await admin('revoke', ada.id)
    const { id } = await newAccount()
    const taken = { type: 'TagChanged' as const, data: { accountId: id, username, discriminator: 7777 } }
    await happens(site.store.events, streamName('account', id), taken)
    await site.project()
    expect(await admin('grant', username, 'jobs:view')).toMatchObject({
      code: 1,
      said: `Several accounts are named ${username}: say which, as in ${ada.tag}, ${username}#7777\n`,
    })
    expect(await admin('grant', 'nobody_at_all', 'jobs:view')).toMatchObject({
      code: 1,
      said: 'There is no account nobody_at_all\n',
    })
  })

  it('refuses to take what an account does not hold, and changes nothing', async () => {
    const before = (await site.events()).length
    const said = async (...words: readonly string[]) => {
      const ended = await admin('revoke', ...words)
      expect(ended).toMatchObject({ code: 1, output: '' })
      return ended.said
    }
    expect(await said(ada.id)).toBe(`Account ${ada.id} holds no ACLs\n`)
    expect(await said(brian.id, 'admin:authenticate', '*')).toBe(
      `Account ${brian.id} does not hold *, but admin:authenticate\n`,
    )
    expect(await said('12')).toBe('There is no account 12\n')
    expect(await said('Nobody#0001')).toBe('There is no account Nobody#0001\n')
    expect(await site.events()).toHaveLength(before)
  })
})
