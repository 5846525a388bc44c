import { describe, expect, it } from 'vitest'
import type { InstanceEvent } from '../../../domain/instance/events.js'
import { instance } from '../../../domain/instance/instance.js'
import type { PolicyChanges } from '../../../domain/instance/policy.js'
import { fold } from '../../../domain/kernel/decider.js'
import { given, histories, property } from '../../support/given-when-then.js'
import { instanceCommands } from '../arbitraries.js'
import { start } from '../people.js'

const change = (changes: PolicyChanges) => ({ type: 'ChangeInstancePolicy', changes, now: start }) as const
const changed = (changes: PolicyChanges): InstanceEvent => ({
  type: 'InstancePolicyChanged',
  data: { changes, changedAt: start },
})
const byEmail = { signIn: 'email', tagStyle: 'discriminator' } as const
const fix = { type: 'FixAccountIdentity', accountIdentity: byEmail, now: start } as const
const fixed: InstanceEvent = { type: 'AccountIdentityFixed', data: { ...byEmail, fixedAt: start } }

describe('changing the policy of the instance', () => {
  it('records the members that change, and only those', () => {
    given(instance, [changed({ registration: { mode: 'closed' } })])
      .when(change({ registration: { mode: 'closed', urlsEnabled: true }, ipAuthorization: true }))
      .then(changed({ registration: { urlsEnabled: true }, ipAuthorization: true }))
  })

  it('records nothing where nothing changes', () => {
    const domains = { singleSignOn: { allowedDomains: ['example.org'] } }
    given(instance, []).when(change({})).changesNothing()
    given(instance, [])
      .when(change({ registration: {} }))
      .changesNothing()
    given(instance, [changed(domains)])
      .when(change(domains))
      .changesNothing()
  })

  it('may change what accounts are known by while there are none', () => {
    const usernames = { accountIdentity: { signIn: 'username', tagStyle: 'none' } } as const
    given(instance, []).when(change(usernames)).then(changed(usernames))
  })

  it('leaves what accounts are known by once there are some', () => {
    const code = 'INSTANCE_POLICY_TRANSITION_NOT_ALLOWED'
    given(instance, [fixed])
      .when(change({ accountIdentity: { signIn: 'username' } }))
      .refuses(code)
    given(instance, [fixed])
      .when(change({ accountIdentity: { tagStyle: 'none' } }))
      .refuses(code)
    given(instance, [fixed])
      .when(change({ accountIdentity: { signIn: 'email' }, ipAuthorization: true }))
      .then(changed({ accountIdentity: { signIn: 'email' }, ipAuthorization: true }))
  })
})

describe('what accounts are known by', () => {
  it('is fixed once', () => {
    given(instance, []).when(fix).then(fixed)
    given(instance, [fixed])
      .when({ ...fix, accountIdentity: { signIn: 'username', tagStyle: 'none' } })
      .changesNothing()
  })

  property('never becomes another one', histories(instance, instanceCommands), ({ events }) => {
    const first = events.findIndex(({ type }) => type === 'AccountIdentityFixed')
    const { accountIdentity } = { accountIdentity: null, ...fold(instance, events.slice(0, first + 1)) }
    expect({ accountIdentity: null, ...fold(instance, events) }.accountIdentity).toStrictEqual(accountIdentity)
    expect(events.filter(({ type }) => type === 'AccountIdentityFixed').length).toBeLessThanOrEqual(1)
  })
})
