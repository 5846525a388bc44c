import { readComposeFile } from '../../support/cluster/compose-file.ts'

/** What an operator writes into `.env`. */
export const dotEnv = {
  PERSONAL_DATA_KEY: Buffer.alloc(32, 7).toString('base64'),
  POSTGRES_PASSWORD: 'a1b2c3',
  NATS_PASSWORD: 'd4e5f6',
  EVENTSTORE_PASSWORD: 'a7b8c9',
}
/** docker-compose.yml, as compose reads it with that. */
export const compose = readComposeFile(dotEnv)
export const servers = ['eventstore', 'postgres', 'nats']
/** Throws if the file has no such service. */
export const serviceOf = (name: string) => {
  const service = compose.services[name]
  if (!service) throw new Error(`docker-compose.yml has no service ${name}`)
  return service
}
