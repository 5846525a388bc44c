import { describe, expect, it } from 'vitest'
import { login } from '../../application/identity/accounts/login.ts'
import { register } from '../../application/identity/accounts/registering/register.ts'
import { forgotPassword } from '../../application/identity/recovery/forgot-password.ts'
import { resetByRecoveryKit } from '../../application/identity/recovery/reset-by-recovery-kit.ts'
import type { Ports } from '../../application/ports.ts'
import { refusalOf } from '../application/support/refusals.ts'
import { world, type World } from '../application/support/world.ts'

/**
 * Neither the answer nor the work shows whether an address exists. The bench measures how long the two answers take (line
 * `login`); this test compares what is read, written and hashed for each.
 */

interface Noting {
  readonly ports: Ports
  readonly work: readonly string[]
  /** Waits for the work that goes on after the answers. */
  afterwards(): Promise<unknown>
}

/** The ports of a world, which record their calls. `read`, `write` and `hash` are the calls that take time. */
function noting(on: World): Noting {
  const work: string[] = []
  const tasks: Promise<void>[] = []
  const { deferred, aggregates, allowances, mail, passwords, tickets } = on.ports
  const noted = <Args extends readonly unknown[], Result>(kind: string, act: (...args: Args) => Result) => {
    return (...args: Args): Result => {
      work.push(kind)
      return act(...args)
    }
  }
  const ports: Ports = {
    ...on.ports,
    aggregates: {
      ...aggregates,
      account: { ...aggregates.account, load: noted('read account', aggregates.account.load) },
      emailAddress: { ...aggregates.emailAddress, load: noted('read address', aggregates.emailAddress.load) },
      handle: { ...aggregates.handle, load: noted('read tag', aggregates.handle.load) },
    },
    allowances: { ...allowances, take: noted('charge', allowances.take) },
    passwords: { ...passwords, verify: noted('hash', passwords.verify) },
    tickets: { ...tickets, issue: noted('write', tickets.issue) },
    mail: { ...mail, send: noted('write', mail.send) },
    deferred: {
      run: noted('hand over', (task: () => Promise<void>) => {
        tasks.push(new Promise<void>((resolve) => deferred.run(() => task().then(resolve))))
      }),
    },
  }
  return { ports, work, afterwards: () => Promise.all(tasks) }
}

const wishes = {
  email: null,
  globalName: null,
  dateOfBirth: null,
  consent: false,
  inviteCode: null,
  registrationUrlCode: null,
}

describe('whether an address exists', () => {
  it('is not shown by the work of a failed login', async () => {
    const on = world()
    await on.newcomer('Ada')
    const [known, unknown] = [noting(on), noting(on)]
    const tried = { password: 'a wrong password', inviteCode: null }
    const forKnown = await refusalOf(login(known.ports)(on.requester(), { ...tried, email: 'Ada@example.com' }))
    const forUnknown = await refusalOf(login(unknown.ports)(on.requester(), { ...tried, email: 'x@example.com' }))
    expect(forUnknown).toStrictEqual(forKnown)
    expect(unknown.work).toStrictEqual(known.work)
    expect(known.work).toStrictEqual(['charge', 'charge', 'read address', 'read account', 'hash'])
  })

  it('is not shown for a username by a failed login, or by a wrong recovery key', async () => {
    const accountIdentity = { signIn: 'username', tagStyle: 'none' } as const
    const on = world({ policy: { accountIdentity } })
    await register(on.ports)(on.requester(), { ...wishes, username: 'Ada', password: 'a password' })
    const [known, unknown] = [noting(on), noting(on)]
    const tried = { email: null, password: 'a wrong password', inviteCode: null }
    const recoveryKey = 'ABCDE-FGHJK-LMNPQ-RSTUV-WXYZ2'
    const refusals = async ({ ports }: Noting, username: string) => [
      await refusalOf(login(ports)(on.requester(), { ...tried, username })),
      await refusalOf(resetByRecoveryKit(ports)(on.requester(), { username, recoveryKey, password: 'a new one' })),
    ]
    expect(await refusals(unknown, 'nobody')).toStrictEqual(await refusals(known, 'Ada'))
    expect(unknown.work).toStrictEqual(known.work)
    const read = ['charge', 'charge', 'read tag', 'read account']
    expect(known.work).toStrictEqual([...read, 'hash', ...read])
  })

  it('is not shown by the work before the answer to a forgotten password', async () => {
    const on = world()
    await on.newcomer('Ada')
    const [known, unknown] = [noting(on), noting(on)]
    const letters_before = on.letters.length
    expect(await forgotPassword(known.ports)(on.requester(), 'Ada@example.com')).toBeUndefined()
    expect(await forgotPassword(unknown.ports)(on.requester(), 'x@example.com')).toBeUndefined()
    expect(unknown.work).toStrictEqual(known.work)
    expect(known.work).toStrictEqual(['charge', 'charge', 'read address', 'hand over'])
    await Promise.all([known.afterwards(), unknown.afterwards()])
    expect(unknown.work.slice(4)).toStrictEqual(['read address'])
    expect(known.work.slice(4)).toStrictEqual(['read address', 'read account', 'write', 'write'])
    expect(on.letters.slice(letters_before).map(({ to }) => to)).toStrictEqual(['Ada@example.com'])
  })

  it('is not shown by which requests are refused for being too frequent', async () => {
    const charged: string[] = []
    const on = world({
      allowances: {
        take: async (name, key, { requests, seconds }) => {
          charged.push(`${name} ${key} ${requests}/${seconds}`)
          return charged.length % 2 === 0 ? { allowed: false, retryAfterSeconds: 7 } : { allowed: true }
        },
        look: async () => ({ allowed: true }),
        reset: async () => undefined,
      },
    })
    const hashOf = on.ports.addressHash
    for (const email of ['ada@example.com', 'x@example.com']) {
      const refusal = await refusalOf(forgotPassword(on.ports)(on.requester(), email))
      expect(refusal).toMatchObject({ code: 'RATE_LIMITED', details: { global: false, retry_after: 7 } })
      expect(charged.splice(0)).toStrictEqual([
        'recovery from client 192.0.2.1/32 20/1800',
        `recovery of address ${hashOf(email)} 5/1800`,
      ])
    }
    expect(on.letters).toHaveLength(0)
  })
})
