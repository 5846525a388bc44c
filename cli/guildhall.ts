#!/usr/bin/env -S node --max-semi-space-size=32 --min-semi-space-size=16
import { cacheCompiledCode } from './cache-compiled-code.js'
import { loadEnvFile } from './load-env-file.js'
import { messageWithRemedy } from './remedy.js'

cacheCompiledCode()
const { program } = await import('./command-line.js')

try {
  loadEnvFile()
  await program.parseAsync()
} catch (error) {
  console.error(messageWithRemedy(error))
  process.exitCode = 1
}
