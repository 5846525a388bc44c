#!/usr/bin/env -S node --max-semi-space-size=32 --min-semi-space-size=16
import { cacheCompiledCode } from './cache-compiled-code.ts'
import { endWithReader } from './end-with-reader.ts'
import { loadEnvFile } from './load-env-file.ts'
import { messageWithRemedy } from './remedy.ts'

cacheCompiledCode()
endWithReader()
const { program } = await import('./command-line.ts')

try {
  loadEnvFile()
  await program.parseAsync()
} catch (error) {
  console.error(messageWithRemedy(error))
  process.exitCode = 1
}
