import type { z } from 'zod'
import { componentSchemas, type ComponentSchemas } from '../../adapters/http/openapi/component-schemas.ts'
import { dispatchNames } from '../../gateway/protocol/dispatch-names.ts'
import { closings } from '../../gateway/protocol/closings.ts'
import { opcodes } from '../../gateway/protocol/opcodes.ts'
import { productVersion } from '../../process/product-version.ts'
import { dispatchCatalogue } from './dispatch-catalogue.ts'
import { payloadCatalogue } from './payload-catalogue.ts'

type Members = Readonly<Record<string, unknown>>

/** A message of the document. */
interface Message {
  readonly key: string
  readonly from: 'client' | 'server'
  readonly message: Members
}

/**
 * The Gateway as an AsyncAPI 3 document: each opcode and each dispatch is a message, with the schema of its payload. Made of the
 * tables that the Gateway runs on, and of the catalogues beside this file.
 */
export function gatewayDocument(): Members {
  const schemas = componentSchemas()
  const messages = [...payloadMessages(schemas), ...dispatchNames.map((name) => dispatchMessage(name, schemas))]
  const keysOf = (side: Message['from']) => messages.filter(({ from }) => from === side).map(({ key }) => key)
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Guildhall Gateway',
      version: productVersion,
      description: 'A JSON payload in each websocket frame. `/.well-known/guildhall` names the address.',
    },
    defaultContentType: 'application/json',
    channels: {
      gateway: {
        address: '/gateway',
        bindings: {
          ws: {
            method: 'GET',
            query: {
              type: 'object',
              properties: {
                v: { type: 'string', const: '1' },
                encoding: { type: 'string', const: 'json' },
                compress: {
                  type: 'string',
                  enum: ['none', 'zstd-stream'],
                  description:
                    'With `stream`, one zstd stream in each direction: each payload is one binary message, which ends with a flush.',
                },
                stream: { type: 'string', enum: ['1', 'true'] },
              },
            },
          },
        },
        messages: Object.fromEntries(messages.map(({ key }) => [key, { $ref: `#/components/messages/${key}` }])),
        'x-close-codes': Object.values(closings),
      },
    },
    // The server's point of view, as AsyncAPI has it: it receives what clients send.
    operations: {
      fromClients: operationOf('receive', keysOf('client')),
      toClients: operationOf('send', keysOf('server')),
    },
    components: {
      messages: Object.fromEntries(messages.map(({ key, message }) => [key, message])),
      schemas: schemas.components,
    },
  }
}

function operationOf(action: 'send' | 'receive', keys: readonly string[]): Members {
  return {
    action,
    channel: { $ref: '#/channels/gateway' },
    messages: keys.map((key) => ({ $ref: `#/channels/gateway/messages/${key}` })),
  }
}

function payloadMessages(schemas: ComponentSchemas): readonly Message[] {
  return Object.entries(opcodes).flatMap(([name, op]) => {
    if (op === opcodes.dispatch) return []
    const { from, says, d } = payloadCatalogue[name as keyof typeof opcodes]
    const sides = from === 'both' ? (['client', 'server'] as const) : [from]
    return sides.map((side) => {
      const key = from === 'both' && side === 'server' ? `${name}Request` : name
      const properties = { op: { const: op }, ...(d && { d: converted(d, side, schemas) }) }
      return { key, from: side, message: messageOf(name, says, properties) }
    })
  })
}

function dispatchMessage(name: (typeof dispatchNames)[number], schemas: ComponentSchemas): Message {
  const { heardBy, d } = dispatchCatalogue[name]
  const properties = {
    op: { const: opcodes.dispatch },
    t: { const: name },
    s: { type: 'integer', description: 'The number of the dispatch in its session; a Resume names the last one.' },
    d: converted(d, 'server', schemas),
  }
  return { key: name, from: 'server', message: messageOf(name, `Received by ${heardBy}.`, properties) }
}

function converted(schema: z.ZodType, from: 'client' | 'server', schemas: ComponentSchemas): Members {
  return schemas.jsonSchema(schema, from === 'client' ? 'input' : 'output')
}

function messageOf(name: string, summary: string, properties: Members): Members {
  return { name, summary, payload: { type: 'object', properties, required: Object.keys(properties) } }
}
