import { readFileSync } from 'node:fs'
import path from 'node:path'
import { eventSchemasText } from '../event-schemas/event-schemas.ts'
import { backupsPage } from './backups.ts'
import { commandLinePage } from './command-line.ts'
import { errorsPage } from './errors.ts'
import { withExcerpts } from './excerpts.ts'
import { gatewayPage } from './gateway.ts'
import { metricsPage } from './metrics.ts'
import { aclsPage, bucketsPage, operationsPage } from './operations.ts'
import { processManagersPage } from './process-managers.ts'
import { readModelsPage } from './read-models.ts'
import { settingsPage } from './settings.ts'
import { streamsPage } from './streams.ts'
import { undoPage } from './undo.ts'

/** A page that the code writes. */
export interface ReferencePage {
  /** Its name in `docs/reference`. */
  readonly file: string
  /** The whole page, from its title on. */
  readonly page: () => string
}

/** A file of docs/ that follows from the code: wholly, or in its excerpts. */
export interface WrittenPage {
  /** From the checkout on. */
  readonly file: string
  readonly text: string
}

/** The command that writes them. */
export const rewriteCommand = 'npm run reference'

/** Every page of `docs/reference`. What is named here is a table in the code; the page follows from that table. */
export const referencePages: readonly ReferencePage[] = [
  { file: 'settings.md', page: settingsPage },
  { file: 'command-line.md', page: commandLinePage },
  { file: 'streams.md', page: streamsPage },
  { file: 'read-models.md', page: readModelsPage },
  { file: 'process-managers.md', page: processManagersPage },
  { file: 'backups.md', page: backupsPage },
  { file: 'operations.md', page: operationsPage },
  { file: 'acls.md', page: aclsPage },
  { file: 'buckets.md', page: bucketsPage },
  { file: 'errors.md', page: errorsPage },
  { file: 'gateway.md', page: gatewayPage },
  { file: 'metrics.md', page: metricsPage },
  { file: 'undo.md', page: undoPage },
]

/** The build copies it, for the server to send. */
const eventSchemasFile = 'docs/reference/events.json'

/** Pages that people write and whose excerpts follow from the code. */
const pagesWithExcerpts = ['docs/life-of-an-invite.md']

/** What each page has to say now, in the checkout at `root`, and the schemas of events. */
export function writtenPages(root: string): readonly WrittenPage[] {
  const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')
  return [
    ...referencePages.map(({ file, page }) => ({ file: `docs/reference/${file}`, text: withNotice(page()) })),
    { file: eventSchemasFile, text: eventSchemasText(root) },
    ...pagesWithExcerpts.map((file) => ({ file, text: withExcerpts(read(file), read) })),
  ]
}

function withNotice(page: string): string {
  const [title = '', ...rest] = page.split('\n')
  return [
    title,
    '',
    `<!-- Written from the code by \`${rewriteCommand}\`. Change the code, not this page. -->`,
    ...rest,
  ].join('\n')
}
