import { existsSync } from 'node:fs'
import { loadEnvFile as load } from 'node:process'

/** Reads settings from `.env` in the folder that the process stands in, where there is one. The environment wins. */
export function loadEnvFile(): void {
  if (existsSync('.env')) load('.env')
}
