import { describe, expect, it } from 'vitest'
import { inProcessSignals } from '../../../../adapters/bus/in-process-signals.ts'
import type { Reminder } from '../../../../application/ports/reminders.ts'
import type { SignalPayload } from '../../../../application/ports/signals.ts'
import { signalledReminders } from '../../../../application/identity/settings/signalled-reminders.ts'
import { ada, grace, home } from '../../../../domain/testing/people.ts'

/** Resolves once everything published before was heard. */
const heardSoFar = () => new Promise((resolve) => setImmediate(resolve))

describe('a reminder over signals', () => {
  it('arrives as it was sent, until nobody listens any more', async () => {
    const errors: unknown[] = []
    const heard: Reminder[] = []
    const reminders = signalledReminders(inProcessSignals((error) => void errors.push(error)))
    const stop = reminders.subscribe((reminder) => void heard.push(reminder))
    const sent = [
      { accountId: ada },
      { accountId: grace, forGuild: home },
      { accountId: ada, forGuild: null },
      { accountId: ada, of: 'user' },
    ] as const
    for (const reminder of sent) reminders.remind(reminder)
    await heardSoFar()
    expect(heard).toStrictEqual(sent)
    stop()
    reminders.remind({ accountId: ada })
    await heardSoFar()
    expect(heard).toHaveLength(sent.length)
    expect(errors).toStrictEqual([])
  })

  it('is reported and reminds nobody if it cannot be read', async () => {
    const errors: unknown[] = []
    const heard: Reminder[] = []
    const signals = inProcessSignals((error) => void errors.push(error))
    signalledReminders(signals).subscribe((reminder) => void heard.push(reminder))
    const wrong: readonly SignalPayload[] = [
      {},
      { accountId: 7 },
      { accountId: '01' },
      { accountId: ada, of: 'guild' },
      { accountId: ada, forGuild: 'x' },
    ]
    for (const payload of wrong) signals.publish('settings', payload)
    await heardSoFar()
    expect(heard).toStrictEqual([])
    expect(errors).toHaveLength(wrong.length)
  })
})
