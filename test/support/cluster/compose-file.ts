import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'

const dependencies = z.record(z.string(), z.object({ condition: z.string() }))

/** The networks of a service, and the addresses that it has in them if they are given. */
interface Networks {
  readonly names: readonly string[]
  readonly addresses: readonly string[]
}

const service = z.object({
  image: z.string(),
  command: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  logging: z.object({ driver: z.string(), options: z.record(z.string(), z.string()) }).optional(),
  profiles: z.array(z.string()).default([]),
  healthcheck: z.object({ test: z.array(z.string()).min(2) }).default({ test: [] }),
  depends_on: dependencies.default({}),
  ports: z.array(z.string()).default([]),
  networks: z
    .union([z.array(z.string()), z.record(z.string(), z.object({ ipv4_address: z.string() }))])
    .default([])
    .transform((named): Networks =>
      Array.isArray(named)
        ? { names: named, addresses: [] }
        : { names: Object.keys(named), addresses: Object.values(named).map(({ ipv4_address: own }) => own) },
    ),
  network_mode: z.string().optional(),
  volumes: z.array(z.string()).default([]),
  stop_grace_period: z.string().optional(),
  read_only: z.boolean().default(false),
})

const file = z.object({
  services: z.record(z.string(), service),
  volumes: z.record(z.string(), z.unknown()),
  networks: z.record(z.string(), z.unknown()),
})

export type ComposeFile = z.infer<typeof file>

/** A variable has no value, so docker compose would start nothing. */
export class MissingVariable extends Error {
  override readonly name = 'MissingVariable'
}

/**
 * Reads docker-compose.yml as compose does, with the variables of an `.env` file. Throws MissingVariable if a required variable
 * is missing.
 */
export function readComposeFile(variables: Readonly<Record<string, string>>): ComposeFile {
  const text = readFileSync(path.resolve(import.meta.dirname, '../../../docker-compose.yml'), 'utf8')
  const parsed: unknown = parse(text, { merge: true })
  return file.parse(interpolated(parsed, variables))
}

function interpolated(value: unknown, variables: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') return interpolatedText(value, variables)
  if (Array.isArray(value)) return value.map((item: unknown) => interpolated(item, variables))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, interpolated(item, variables)]))
}

/** `${NAME:-default}` and `${NAME:?what is wrong}`: the two forms in the file. */
const variable = /\$\{([A-Z_]+):([-?])([^}]*)\}/g

function interpolatedText(text: string, variables: Readonly<Record<string, string>>): string {
  const whole = text.replaceAll(variable, (_match, name: string, form: string, rest: string) => {
    const value = variables[name] ?? ''
    if (value !== '') return value
    if (form === '?') throw new MissingVariable(`${name} ${rest}`)
    return rest
  })
  if (whole.includes('$')) throw new Error(`A variable is written in a form that is not read here: ${whole}`)
  return whole
}
