import { describe, expect, it } from 'vitest'
import { freshPolicy } from '../../../../domain/instance/fresh-policy.ts'
import { Refused } from '../../../../application/commands/refused.ts'
import { world } from '../../support/world.ts'

describe('the policy of the instance', () => {
  it('is what the settings say, with the changes over it', async () => {
    const { ports, requester } = world({ policy: { registration: { ...freshPolicy.registration, mode: 'closed' } } })
    const { instancePolicies } = ports
    await instancePolicies.change({ registration: { urlsEnabled: true } }, requester().context)
    expect(await instancePolicies.current()).toStrictEqual({
      ...freshPolicy,
      registration: { ...freshPolicy.registration, mode: 'closed', urlsEnabled: true },
    })
  })

  it('is known to another process at once', async () => {
    const { ports, requester, restart } = world()
    await ports.instancePolicies.change({ ipAuthorization: true }, requester().context)
    restart()
    expect((await ports.instancePolicies.current()).ipAuthorization).toBe(true)
  })

  it('keeps its secret sealed in history', async () => {
    const { ports, requester, events } = world()
    await ports.instancePolicies.change({ singleSignOn: { clientSecret: 'CANARY' } }, requester().context)
    expect((await ports.instancePolicies.current()).singleSignOn.clientSecret).toBe('CANARY')
    expect(JSON.stringify((await events()).map(({ data }) => data))).not.toContain('CANARY')
  })

  it('keeps how accounts are identified once there are accounts, whatever the settings say later', async () => {
    const { ports, requester } = world()
    const { instancePolicies } = ports
    expect((await instancePolicies.standing()).identityIsFixed).toBe(false)
    await instancePolicies.fixAccountIdentity(requester().context)
    expect(await instancePolicies.standing()).toStrictEqual({ policy: freshPolicy, identityIsFixed: true })
    const change = instancePolicies.change({ accountIdentity: { signIn: 'username' } }, requester().context)
    await expect(change).rejects.toThrow(Refused)
  })
})
