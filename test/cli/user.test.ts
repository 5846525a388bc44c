import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operatorName } from '../../cli/operator/operator.ts'
import { instance, type Instance } from './support/instance.ts'
import { entryIn, userCommands } from './support/user-commands.ts'

let site: Instance

const { newAccount, succeeds, refused, foretells, eventsOf, newestEntry } = userCommands(() => site)

beforeAll(async () => {
  site = await instance()
})
afterAll(() => site.close())

describe('guildhall user show', () => {
  it('prints an account by id, tag and e-mail address, and leaves an entry', async () => {
    const { id, tag, email } = await newAccount()
    for (const who of [id, tag, email]) {
      const output = await succeeds('show', who)
      expect(output).toContain(`id="${id}"\n`)
      expect(output).toContain(`email="${email}"\n`)
      expect(await newestEntry()).toMatchObject({
        action: 'get_user',
        adminId: '0',
        credential: 'command_line',
        targetType: 'user',
        targetId: id,
        metadata: { found: 'true', operator: operatorName() },
      })
    }
  })

  it.each([
    [['show', '12'], 'There is no account 12'],
    [['show', 'Nobody#0001'], 'There is no account Nobody#0001'],
    [['ban', '12'], 'There is no account 12'],
    [['flags', '12', '--add', 'STAFF'], 'There is no account 12'],
    [['undelete', '12'], 'There is no account 12'],
  ])('like the other commands, refuses %j', async (words, said) => {
    await site.project()
    const ended = await site.guildhall(['user', ...words])
    expect(ended).toMatchObject({ code: 1, output: '' })
    expect(ended.said).toContain(said)
  })
})

describe('guildhall user ban and unban', () => {
  it('do what their dry runs print: events, mails and entries', async () => {
    const { id, email } = await newAccount()
    const words = ['--hours', '48', '--public-reason', 'Spam', '--reason', 'Reported twice']
    const { dry, output } = await foretells('ban', id, ...words)
    expect(dry).toContain(`\nmail  to ${email}  account_banned  `)
    expect(output).toMatch(new RegExp(`^Account ${id} is banned until \\S+Z\\.\n`))
    expect(await newestEntry()).toMatchObject({
      entryId: entryIn(output),
      action: 'temp_ban',
      adminId: '0',
      metadata: { duration_hours: '48', notify_user: 'true', notification_sent: 'false', operator: operatorName() },
      personalMetadata: { reason: 'Spam' },
      personalReason: 'Reported twice',
    })
    const banned = (await site.events()).findLast(({ type }) => type === 'AccountBanned')
    expect(banned?.metadata).toMatchObject({
      actor: { kind: 'system', name: 'command line' },
      adminAction: { entryId: entryIn(output), credential: 'command_line' },
    })
    expect((await eventsOf(id)).filter((type) => type === 'SessionEnded')).toHaveLength(2)
    const lifted = await foretells('unban', id)
    expect(lifted.output).toMatch(new RegExp(`^Account ${id} is not banned\\.\n`))
    expect(await newestEntry()).toMatchObject({ action: 'unban', targetId: id })
    expect((await foretells('unban', id, '--no-mail')).dry).not.toContain('AccountBanLifted')
  })

  it('take no other number of hours', async () => {
    const { id } = await newAccount()
    expect(await refused('ban', id, '--hours', '8761')).toContain('duration_hours')
    expect(await refused('ban', id, '--hours', 'many')).toBe('--hours many is not a whole number\n')
    expect(await refused('ban', id, '--reason', ' ')).toBe('--reason must have 1 to 512 characters\n')
  })
})

describe('guildhall user flags and sessions', () => {
  it('change flags by name and number, to the last bit, and print them', async () => {
    const { id } = await newAccount()
    const { output } = await foretells('flags', id, '--add', 'staff', '9223372036854775808')
    expect(output).toMatch(new RegExp(`^The flags of account ${id} are 9223372036854775809 STAFF\\.\n`))
    expect(await newestEntry()).toMatchObject({
      action: 'update_flags',
      metadata: { new_flags: '9223372036854775809' },
    })
    await foretells('flags', id, '--remove', 'STAFF')
    expect(await succeeds('flags', id)).toBe('9223372036854775808\n')
    expect(await refused('flags', id, '--add', 'KING')).toContain('KING is no flag')
    expect(await refused('flags', id, '--dry-run')).toBe('--dry-run goes with --add or --remove\n')
  })

  it('print the sessions, and end them', async () => {
    const { id } = await newAccount()
    expect((await succeeds('sessions', id)).match(/^live {2}since /gm)).toHaveLength(2)
    const { output } = await foretells('sessions', id, '--end')
    expect(output).toMatch(new RegExp(`^Ended 2 sessions of account ${id}\\.\n`))
    await site.project()
    expect((await succeeds('sessions', id)).match(/^ended \S+Z {2}since /gm)).toHaveLength(2)
  })
})

describe('guildhall user delete and undelete', () => {
  it('schedule and cancel a deletion, and do what their dry runs print', async () => {
    const { id } = await newAccount()
    const { dry, output } = await foretells('delete', id, '--because', 'spam', '--days', '70', '--reason', 'Known')
    expect(dry).toContain(`event  account-${id}  AccountDeletionScheduled  {`)
    const [, dueAt = ''] = /is due at (\S+Z)\.\n/.exec(output) ?? []
    expect(Math.round((Date.parse(dueAt) - Date.now()) / 86_400_000)).toBe(70)
    expect(await refused('delete', id, '--because', '3')).toContain(`replace it with --replaces ${dueAt}`)
    await succeeds('delete', id, '--because', '1', '--days', '20', '--replaces', dueAt)
    expect(await refused('delete', id, '--because', '1', '--replaces', dueAt)).toContain('(CONFLICT)')
    await foretells('undelete', id)
    expect(await refused('undelete', id)).toBe(`No deletion of account ${id} is pending\n`)
    expect(await refused('delete', id, '--because', 'BOREDOM')).toContain('--because BOREDOM is no reason')
  })
})
