import { inProcessSignals } from '../../adapters/bus/in-process-signals.ts'
import { signalledTyping, type SignalledTyping } from '../../application/conversations/typing/signalled-typing.ts'
import { signalledReminders, type SignalledReminders } from '../../application/identity/settings/signalled-reminders.ts'
import type { Base } from './base.ts'

/** What processes that handle requests tell those that have sessions. */
export interface Signalled {
  readonly reminders: SignalledReminders
  readonly typing: SignalledTyping
}

/** Over the signals between processes, or within this process if it plays every role alone. */
export function openSignalled({ signals, onError }: Pick<Base, 'signals' | 'onError'>): Signalled {
  const over = signals ?? inProcessSignals(onError)
  return { reminders: signalledReminders(over), typing: signalledTyping(over) }
}
