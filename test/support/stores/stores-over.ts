import { openStores, type StoresSetup } from '../../../adapters/stores/open-stores.ts'
import type { Stores } from '../../../application/ports/stores.ts'
import { readSettings, type StoreSettings } from '../../../process/settings/settings.ts'
import type { TestClock } from './test-clock.ts'

/** A double of either store. */
export interface SettableDouble {
  readonly clock: TestClock
  readonly settings: Readonly<Record<string, unknown>>
}

/** The doubles that a server sells through, which share a clock. */
export interface StoreDoubles {
  readonly storeA?: SettableDouble | undefined
  readonly storeB?: SettableDouble | undefined
  /** The value of STORE_SANDBOX. */
  readonly sandbox?: object
  /** A shorter time limit, for stores that do not answer. */
  readonly answer_ms?: number
}

/** The settings for doubles, as an operator writes them. */
export function settingsFor({ storeA, storeB, sandbox }: StoreDoubles): Readonly<Record<string, string>> {
  return {
    HOSTED: 'true',
    ...(storeA && { STORE_A: JSON.stringify(storeA.settings) }),
    ...(storeB && { STORE_B: JSON.stringify(storeB.settings) }),
    ...(sandbox && { STORE_SANDBOX: JSON.stringify(sandbox) }),
  }
}

/** The same settings, as a process reads them. */
export function storeSettingsOf(doubles: StoreDoubles): StoreSettings {
  return readSettings(settingsFor(doubles)).stores
}

/** The doubles' clock, and the time limit. */
export function timesOf({ storeA, storeB, answer_ms }: StoreDoubles): Pick<StoresSetup, 'now' | 'answer_ms'> {
  const now = (storeA ?? storeB)?.clock.now
  return { ...(now && { now }), ...(answer_ms !== undefined && { answer_ms }) }
}

/** The product's clients of doubles. */
export function storesOver(doubles: StoreDoubles, also: Pick<StoreDoubles, 'answer_ms'> = {}): Stores {
  return openStores({ ...storeSettingsOf(doubles), ...timesOf({ ...doubles, ...also }) })
}
