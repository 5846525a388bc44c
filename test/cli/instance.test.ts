import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshPolicy } from '../../domain/instance/fresh-policy.ts'
import {
  instanceSecrets,
  policiesOverSettings,
} from '../../application/administration/instance/policies-over-settings.ts'
import { sealedBox } from '../../application/secrets/sealed-box.ts'
import { openAggregates } from '../../process/aggregates.ts'
import { operatorContext } from '../../cli/commands/operator-context.ts'
import { instance, type Instance } from './support/instance.ts'

describe('guildhall instance', () => {
  let site: Instance

  beforeAll(async () => {
    site = await instance()
  })
  afterAll(() => site.close())

  const policies = () => {
    const { events: store, snapshots, personalDataKey } = site.store
    return policiesOverSettings({
      aggregates: openAggregates({ store, snapshots }),
      settings: freshPolicy,
      secrets: sealedBox(personalDataKey, instanceSecrets),
    })
  }

  it.each([
    [['registration.mode=ajar'], 'registration.mode: '],
    [['registration.mod=open'], 'registration.mod: is not known'],
    [['registration.mode'], 'has no value'],
    [['sso.issuer=ftp://id.example'], 'sso.issuer: '],
    [
      ['policy.single_community_enabled=true'],
      'policy.single_community_enabled: can only be turned on over the Admin API',
    ],
  ])('refuses %j by path, and changes nothing', async (members, message) => {
    const { code, output, said } = await site.guildhall(['instance', 'set', ...members])
    expect({ code, output }).toEqual({ code: 1, output: '' })
    expect(said).toContain(message)
    expect(await policies().current()).toStrictEqual(freshPolicy)
  })

  it('changes the policy of the instance at once, and prints it without its secrets', async () => {
    const words = [
      'instance',
      'set',
      'discovery.enabled=false',
      'discovery.min_member_count=5',
      'registration.mode=closed',
      'sso.client_secret=CANARY',
      'sso.issuer=null',
    ]
    const { code, output } = await site.spawned(words)
    expect(code).toBe(0)
    expect(output).toContain('registration.mode="closed"\n')
    expect(output).toContain('sso.client_secret_set=true\n')
    expect(output).toContain('discovery.enabled=false\ndiscovery.min_member_count=5\n')
    expect(output).not.toContain('CANARY')
    const { registration, singleSignOn } = await policies().current()
    expect([registration.mode, singleSignOn.clientSecret, singleSignOn.issuer]).toEqual(['closed', 'CANARY', null])
    expect((await site.guildhall(['instance'])).output).toBe(output)
  })

  it('says what each member means that can be changed, and its value; of all, of a section or of one', async () => {
    const { code, output } = await site.guildhall(['instance', 'get'])
    expect(code).toBe(0)
    const lines = output.trimEnd().split('\n')
    expect(lines.filter((line) => line.startsWith('  '))).toHaveLength(lines.length / 2)
    for (const line of lines) expect(line).toMatch(/^(?: {2}.{15,}\.|[a-z_.]+(?:=.+| is not shown))$/)
    expect(output).toContain('sso.client_secret is not shown\n')
    const one = await site.guildhall(['instance', 'get', 'discovery.min_member_count'])
    expect(one.output).toMatch(/^discovery\.min_member_count=\d+\n {2}How many members .+\.\n$/)
    const section = await site.guildhall(['instance', 'get', 'registration'])
    expect(section.output.match(/^\w+\.\w+/gm)).toStrictEqual([
      'registration.mode',
      'registration.admin_registration_urls_enabled',
    ])
  })

  it('shows addresses of images below the server’s own address, whether or not PUBLIC_URL is set', async () => {
    await policies().change({ branding: { icon: 'abc' } }, operatorContext())
    const icon = async (environment: Readonly<Record<string, string>>) =>
      /icon_url=(.*)/.exec((await site.guildhall(['instance'], { environment })).output)?.[1]
    expect(await icon({ HTTP_PORT: '3456' })).toBe('"http://127.0.0.1:3456/media/branding/icon/abc"')
    expect(await icon({ PUBLIC_URL: 'https://chat.example' })).toBe('"https://chat.example/media/branding/icon/abc"')
  })

  it('names the members if there is none of the given name', async () => {
    const { code, said } = await site.guildhall(['instance', 'get', 'registration.mod'])
    expect(code).toBe(1)
    expect(said).toContain('registration.mod is no member of the configuration. The members are: sso.enabled ')
  })
})
