import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { streamName } from '../../domain/streams.ts'
import { start } from '../projections/support/people.ts'
import { happens } from './support/happenings.ts'
import { instance, type Instance } from './support/instance.ts'
import { entryIn, userCommands } from './support/user-commands.ts'

let site: Instance
const { newAccount, succeeds, refused, foretells, eventsOf, newestEntry } = userCommands(() => site)

beforeAll(async () => {
  site = await instance()
})
afterAll(() => site.close())

async function entryOf(...words: readonly string[]): Promise<string> {
  return entryIn(await succeeds(...words))
}

async function newestEntryId(): Promise<string> {
  const { entryId } = (await newestEntry()) as { readonly entryId: string }
  return entryId
}

describe('guildhall undo', () => {
  it('lifts a ban once, names the entry, and mails the holder', async () => {
    const { id } = await newAccount()
    const entry = await entryOf('ban', id, '--hours', '5')
    const { dry, output } = await foretells('undo', entry, '--reason', 'Mistaken')
    expect(dry).toContain('account_ban_lifted')
    expect(output).toMatch(new RegExp(`^Entry ${entry} is undone: Lift ban, account ${id}\\.\n`))
    expect(await newestEntry()).toMatchObject({
      action: 'unban',
      targetId: id,
      adminId: '0',
      metadata: { undone_entry_id: entry },
      personalReason: 'Mistaken',
    })
    const again = await refused('undo', entry)
    expect(again).toMatch(
      new RegExp(
        `^Entry ${entry} can't be undone: what it changed was changed again, by entry ${entryIn(output)} at \\S+Z`,
      ),
    )
  })

  it('finds an entry before and after a server has read it', async () => {
    const { id } = await newAccount()
    const entry = await entryOf('ban', id)
    await succeeds('undo', entry, '--dry-run')
    await site.project()
    await succeeds('undo', entry)
    expect((await eventsOf(id)).at(-1)).toBe('AccountBanLifted')
  })

  it('is refused for a ban that another one replaced, and says that the replaced one does not come back', async () => {
    const { id } = await newAccount()
    const first = await entryOf('ban', id, '--hours', '5')
    const second = await entryOf('ban', id, '--hours', '9')
    expect(await refused('undo', first)).toContain(`by entry ${second} at`)
    expect(await succeeds('undo', second)).toMatch(/The ban until \S+Z, which that one replaced, does not come back\./)
  })

  it('takes back exactly the flags that an entry changed, whatever became of others', async () => {
    const { id } = await newAccount()
    await succeeds('flags', id, '--add', 'STAFF')
    const entry = await entryOf('flags', id, '--add', 'STAFF', 'PARTNER', '--remove', 'BUG_HUNTER')
    await succeeds('flags', id, '--add', 'SPAMMER')
    await foretells('undo', entry)
    expect(await succeeds('flags', id)).toBe('65 STAFF SPAMMER\n')
    expect(await refused('undo', entry)).toContain('was changed again, by entry')
  })

  it('takes back a flag in the highest bit', async () => {
    const { id } = await newAccount()
    const entry = await entryOf('flags', id, '--add', '9223372036854775808')
    await foretells('undo', entry)
    expect(await succeeds('flags', id)).toBe('0\n')
  })

  it('is refused for a flag that was changed again by hand, and says by whom', async () => {
    const { id } = await newAccount()
    const entry = await entryOf('flags', id, '--add', 'PARTNER')
    const changed = { type: 'FlagsChanged' as const, data: { accountId: id, flags: '0' } }
    await happens(site.store.events, streamName('account', id), changed)
    expect(await refused('undo', entry)).toContain('was changed again, by the system (test) at')
  })

  it('cancels a scheduled deletion', async () => {
    const { id } = await newAccount()
    const entry = await entryOf('delete', id, '--because', 'SPAM')
    const { output } = await foretells('undo', entry, '--no-mail')
    expect(output).toContain(`Entry ${entry} is undone: Cancel user deletion, account ${id}.`)
    expect(await newestEntry()).toMatchObject({
      action: 'cancel_deletion',
      metadata: { notify_user: 'false', undone_entry_id: entry },
    })
    expect(await refused('undo', entry)).toContain('was changed again, by entry')
  })

  it('is refused once the account is erased', async () => {
    const { id } = await newAccount()
    const entry = await entryOf('delete', id, '--because', 'SPAM')
    const data = { accountId: id, username: 'gone', addressHash: null, identityHashes: [], startedAt: start }
    await happens(site.store.events, streamName('account', id), { type: 'AccountErasureStarted', data })
    expect(await refused('undo', entry)).toBe(`Entry ${entry} can't be undone: the account is erased\n`)
  })

  it('is refused for an entry that there is not', async () => {
    expect(await refused('undo', 'x')).toContain('x is not the id of an entry')
    expect(await refused('undo', '12')).toContain('There is no entry 12')
  })

  it('is refused for an entry that changed nothing, or is of another kind', async () => {
    const { id } = await newAccount()
    const ended = await entryOf('sessions', id, '--end')
    expect(await refused('undo', ended)).toContain('a session that has ended does not begin again')
    const same = await entryOf('flags', id, '--remove', 'STAFF')
    await site.project()
    expect(await refused('undo', same)).toContain('it changed nothing')
    await succeeds('show', id)
  })

  it('takes back what a command set of the instance, named by its entry', async () => {
    const setting = async () => (await site.guildhall(['instance'])).output
    const before = await setting()
    expect(await site.guildhall(['instance', 'set', 'discovery.min_member_count=9'])).toMatchObject({ code: 0 })
    const entryId = await newestEntryId()
    expect(await setting()).not.toBe(before)
    await foretells('undo', entryId)
    expect(await setting()).toBe(before)
  })

  it('lifts the ban of a network, and names an act by its event', async () => {
    expect(await site.guildhall(['ban-ip', '203.0.113.9'])).toMatchObject({ code: 0 })
    const banned = (await site.events()).findLast(({ type }) => type === 'NetworkBanned')
    await foretells('undo', banned?.metadata.eventId ?? '')
    expect((await site.events()).map(({ type }) => type)).toContain('NetworkBanLifted')
    await site.project()
  })

  it('gives ACLs back, one act at a time in all processes', async () => {
    const { id } = await newAccount()
    expect(await site.guildhall(['admin', 'grant', id, 'user:lookup'])).toMatchObject({ code: 0 })
    const entryId = await newestEntryId()
    await foretells('undo', entryId)
    expect((await eventsOf(id)).at(-1)).toBe('AclsSet')
  })

  it('leaves the chain of the admin audit log whole', async () => {
    const { code, output } = await site.guildhall(['audit', 'verify'])
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringMatching(/^All \d+ entries/) as string })
  })
})
