#!/usr/bin/env node
import { program } from './command-line.js'
import { loadEnvFile } from './load-env-file.js'

try {
  loadEnvFile()
  await program.parseAsync()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
