import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

const keyBytes = 32

/** The key that wraps the accounts' keys: the setting, or without it the one in the data folder, which is made on first use. */
export async function personalDataKey(setting: string | undefined, dataDir: string): Promise<Uint8Array> {
  if (setting !== undefined) return Buffer.from(setting, 'base64')
  const file = personalDataKeyFile(dataDir)
  await mkdir(dataDir, { recursive: true })
  await makeOnce(file)
  return readKey(file)
}

/** The same, but makes nothing: undefined if there is none. */
export async function existingPersonalDataKey(
  setting: string | undefined,
  dataDir: string,
): Promise<Uint8Array | undefined> {
  if (setting !== undefined) return Buffer.from(setting, 'base64')
  const file = personalDataKeyFile(dataDir)
  return existsSync(file) ? readKey(file) : undefined
}

async function readKey(file: string): Promise<Uint8Array> {
  const key = Buffer.from(await readFile(file, 'utf8'), 'base64')
  if (key.length !== keyBytes)
    throw new Error(
      `${file} does not hold ${keyBytes} bytes in base64: restore it from your backup, or set PERSONAL_DATA_KEY`,
    )
  return key
}

/** Where the key is if no setting gives it. */
export function personalDataKeyFile(dataDir: string): string {
  return path.join(dataDir, 'personal-data.key')
}

/** Two processes that start at once agree on one key: only the first one to make the file writes it. */
async function makeOnce(file: string): Promise<void> {
  try {
    await writeFile(file, randomBytes(keyBytes).toString('base64'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}
