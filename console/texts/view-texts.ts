import { auditTexts } from '../audit/audit-texts.ts'
import { directoryTexts } from '../directory/directory-texts.ts'
import { guildTexts } from '../guilds/guild-texts.ts'
import { historyTexts } from '../history/history-texts.ts'
import { instanceTexts } from '../instance/instance-texts.ts'
import { reportTexts } from '../reports/report-texts.ts'
import { userTexts } from '../users/user-texts.ts'
import type { TextsInLanguages } from './texts.ts'

/** The texts of each view. */
export const viewTexts: readonly TextsInLanguages[] = [
  userTexts,
  guildTexts,
  historyTexts,
  auditTexts,
  instanceTexts,
  reportTexts,
  directoryTexts,
]
