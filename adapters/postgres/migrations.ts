import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

/** A step that brings the tables beside history from one shape to the next: a file in the folder `migrations`. */
export interface Migration {
  /** From 1 on, without a gap. */
  readonly number: number
  readonly name: string
  readonly statements: string
  /** The digest of the statements. Changed comments do not change it. */
  readonly digest: string
}

const ownFolder = new URL('./migrations/', import.meta.url)
const fileName = /^(?<number>\d{4})-(?<name>[a-z0-9-]+)\.sql$/

/** Reads this program's migrations, in order. Rejects if two have the same number, or one is missing. */
export async function readMigrations(folder: URL = ownFolder): Promise<readonly Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted()
  const migrations = await Promise.all(files.map((file) => readMigration(folder, file)))
  for (const [index, { number, name }] of migrations.entries()) {
    if (number !== index + 1)
      throw new Error(`Migration ${titleOf({ number, name })} should have number ${index + 1}: numbers have no gap`)
  }
  return migrations
}

/** The name that operators see: its file name. */
export function titleOf({ number, name }: Pick<Migration, 'number' | 'name'>): string {
  return `${number.toString().padStart(4, '0')}-${name}`
}

async function readMigration(folder: URL, file: string): Promise<Migration> {
  const { number, name } = fileName.exec(file)?.groups ?? {}
  if (number === undefined || name === undefined)
    throw new Error(`${file} is not the name of a migration, such as 0021-more-tickets.sql`)
  const statements = await readFile(new URL(file, folder), 'utf8')
  return { number: Number(number), name, statements, digest: digestOf(statements) }
}

/** Ignores comments on lines of their own, so that they can be reworded, and line ends, which differ between systems. */
function digestOf(statements: string): string {
  const lines = statements.split('\n').map((line) => line.trimEnd())
  const decisive = lines.filter((line) => line !== '' && !line.trimStart().startsWith('--'))
  return createHash('sha256').update(decisive.join('\n')).digest('hex')
}
