import { inProcessSignals } from '../../adapters/bus/in-process-signals.ts'
import { signalledReminders, type SignalledReminders } from '../../application/identity/settings/signalled-reminders.ts'
import type { Base } from './base.ts'

/** Over the signals between processes, or within this process if it plays every role alone. */
export function openReminders({ signals, onError }: Pick<Base, 'signals' | 'onError'>): SignalledReminders {
  return signalledReminders(signals ?? inProcessSignals(onError))
}
