import type { ChosenSettings } from './settings.ts'

/** The settings that an account has chosen: initially none. */
export interface UserSettingsState {
  readonly status: 'untouched' | 'changed'
  readonly chosen: ChosenSettings
}
