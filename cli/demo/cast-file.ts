import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'

/** How a person of the story signs in. */
export interface Credentials {
  readonly email: string
  readonly password: string
}

/** The accounts that earlier runs of the story registered, by the names of its people. */
export interface Cast {
  readonly credentialsOf: (name: string) => Promise<Credentials | undefined>
  readonly keep: (name: string, credentials: Credentials) => Promise<void>
}

const castFile = z.record(z.string(), z.object({ email: z.string(), password: z.string() }))

/**
 * Keeps the accounts of the story in a file of the data folder that only its user may read. Registering is limited to 3 accounts
 * an hour for each address: with the accounts of the first run, the story can be played any number of times.
 */
export function castIn(dataDir: string): Cast {
  const file = path.join(dataDir, 'demo-accounts.json')
  const read = async (): Promise<Readonly<Record<string, Credentials>>> => {
    try {
      return castFile.parse(JSON.parse(await readFile(file, 'utf8')))
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
      throw new Error(`${file} can't be read: delete it, and the story registers new accounts`, { cause: error })
    }
  }
  return {
    credentialsOf: async (name) => (await read())[name],
    async keep(name, credentials) {
      await mkdir(dataDir, { recursive: true })
      await writeFile(file, JSON.stringify({ ...(await read()), [name]: credentials }), { mode: 0o600 })
    },
  }
}

/** Keeps nothing: for a server elsewhere. */
export const noCast: Cast = { credentialsOf: () => Promise.resolve(undefined), keep: () => Promise.resolve() }
