import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { account, registered } from '../projections/support/people.ts'
import { registrationCodeHash } from '../../application/identity/registrations/registration-code.ts'
import { streamName } from '../../domain/streams.ts'
import { happens } from './support/happenings.ts'
import { instance, type Instance } from './support/instance.ts'

let site: Instance

beforeAll(async () => {
  site = await instance()
  await site.project()
})
afterAll(() => site.close())

describe('guildhall registration-url', () => {
  it('creates a URL that its code opens, shows it once, and lists and revokes it', async () => {
    const none = await site.guildhall(['registration-url', 'list'])
    expect(none).toMatchObject({ code: 0, output: 'There are no registration URLs.\n' })
    const words = ['--label', 'Summer', '--expires', '2099-01-31T12:00Z', '--max-uses', '25', '--approval']
    const environment = { PUBLIC_URL: 'https://chat.example' }
    const { output } = await site.spawned(['registration-url', 'create', ...words], { environment })
    const [, id = '', code = ''] =
      /^Registration URL (\d+): https:\/\/chat\.example\/register#code=([A-Za-z0-9]{32})\n/.exec(output) ?? []
    const [made] = (await site.events()).filter(({ stream }) => stream === streamName('registration_url', id))
    expect(made?.data).toMatchObject({
      codeHash: registrationCodeHash(code),
      label: 'Summer',
      createdBy: null,
      expiresAt: '2099-01-31T12:00:00.000Z',
      maxUses: 25,
      approvalRequired: true,
    })
    expect(made?.metadata.actor).toStrictEqual({ kind: 'system', name: 'command line' })
    await site.project()
    const listed = `${id}  Summer  used 0 of 25  until 2099-01-31T12:00:00.000Z  with approval`
    expect((await site.guildhall(['registration-url', 'list'])).output).toBe(`${listed}\n`)
    expect((await site.guildhall(['registration-url', 'revoke', id])).output).toBe(
      `Registration URL ${id} is revoked.\n`,
    )
    await site.project()
    expect((await site.guildhall(['registration-url', 'list'])).output).toMatch(/ {2}revoked \d{4}-/)
  })

  it.each([
    [['create', '--label', ''], '--label must have 1 to 120 characters'],
    [['create', '--max-uses', '0'], '--max-uses 0 is not a number from 1 to 1000000'],
    [['create', '--max-uses', '1000001'], '--max-uses 1000001 is not'],
    [['create', '--max-uses', 'many'], '--max-uses many is not'],
    [['create', '--expires', 'soon'], '--expires soon is not a time in the future'],
    [['create', '--expires', '2020-01-01T00:00Z'], '--expires 2020-01-01T00:00Z is not a time in the future'],
    [['revoke', 'x'], 'x is not an id'],
    [['revoke', '12'], 'There is no registration URL 12'],
  ])('refuses %j, and changes nothing', async (words, said) => {
    const before = (await site.events()).length
    const ended = await site.guildhall(['registration-url', ...words])
    expect(ended).toMatchObject({ code: 1, output: '' })
    expect(ended.said).toContain(said)
    expect(await site.events()).toHaveLength(before)
  })
})

describe('guildhall registrations', () => {
  it('lists who waits, and lets in or turns away', async () => {
    expect((await site.guildhall(['registrations', 'list'])).output).toBe('No account waits for approval.\n')
    for (const number of [81, 82]) {
      const waiting = registered(number, {
        awaitsApproval: true,
        clientIp: '203.0.113.7',
        username: `waiting_${number}`,
      })
      await happens(site.store.events, streamName('account', account(number)), waiting)
    }
    await happens(site.store.events, streamName('account', account(83)), registered(83))
    await site.project()
    const { output } = await site.guildhall(['registrations', 'list'])
    expect(output.split('\n')).toHaveLength(3)
    expect(output).toMatch(new RegExp(`^${account(81)}  waiting_81#\\d{4}  .*since \\d{4}-.*203\\.0\\.113\\.7`))
    const approve = await site.spawned(['registrations', 'approve', account(81)])
    expect(approve.output).toBe(`The registration of account ${account(81)} is approved.\n`)
    await site.guildhall(['registrations', 'reject', account(82)])
    await site.project()
    expect((await site.guildhall(['registrations', 'list'])).output).toBe('No account waits for approval.\n')
    const said = async (...words: readonly string[]) => (await site.guildhall(['registrations', ...words])).said
    expect(await said('reject', account(83))).toContain(`Account ${account(83)} is in already`)
    expect(await said('approve', '12')).toContain('There is no account 12')
    expect(await said('approve', 'Ada#0001')).toContain('Ada#0001 is not an id')
  })
})
