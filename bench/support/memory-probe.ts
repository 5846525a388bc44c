import { renameSync, writeFileSync } from 'node:fs'
import { collectedMemory } from './collected-memory.ts'

/** Loaded into the product: each SIGUSR2 writes its memory into the file that the environment names. */
const file = process.env['BENCH_MEMORY_FILE'] ?? ''

process.on('SIGUSR2', () => {
  writeFileSync(`${file}.new`, JSON.stringify(collectedMemory()))
  renameSync(`${file}.new`, file)
})
