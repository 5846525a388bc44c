import type { ChosenSettings } from './settings.js'

/** What an account has chosen: nothing to begin with. */
export interface UserSettingsState {
  readonly status: 'untouched' | 'changed'
  readonly chosen: ChosenSettings
}
