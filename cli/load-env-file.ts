import { existsSync } from 'node:fs'
import { loadEnvFile as load } from 'node:process'

/** Reads settings from `.env` in the working folder, if it exists. The environment wins. */
export function loadEnvFile(): void {
  if (existsSync('.env')) load('.env')
}
