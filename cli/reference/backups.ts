import { keptTables, leftSchemas, leftTables, otherwiseKept } from '../backup/beside-tables.ts'
import { code, codes, page, table } from './markdown.ts'

/** What a backup holds, table by table. */
export function backupsPage(): string {
  return page(
    '# What a backup holds',
    'Every table of an instance, and whether `guildhall backup` takes it ([decision 96](../decisions/0096-a-backup-is-one-instant.md)). Images are in it too, whether they are files or in S3-compatible storage. How to back up and restore: [operating.md](../operating.md#backups).',
    '## In a backup, row by row',
    table(
      ['table', 'why', 'columns left out'],
      keptTables.map(({ name, why, without = [] }) => [
        code(name),
        why,
        without.length === 0 ? 'none' : codes(without),
      ]),
    ),
    '## In a backup, in another form',
    listOf(otherwiseKept),
    '## Not in a backup',
    listOf([...leftTables, ...leftSchemas]),
  )
}

function listOf(tables: typeof leftTables): string {
  return table(
    ['table', 'why'],
    tables.map(({ name, why }) => [name.includes(' ') ? name : code(name), why]),
  )
}
