import { createHash } from 'node:crypto'
import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type SpanContext,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  type IdGenerator,
} from '@opentelemetry/sdk-trace-base'
import type { Logger } from 'pino'
import { keepTraces, type TracedWork } from '../../application/observation/traces.ts'

export interface TraceSettings {
  /** The base address of a collector that speaks OTLP over HTTP; traces go to `/v1/traces` below it. */
  readonly endpoint: string
  /** The share of requests that are traced, 0 to 1. Every process takes the same requests. */
  readonly share: number
  /** How long spans wait for others to be sent with. Default: 5 s. */
  readonly sendsEvery_ms?: number
}

interface OtlpParts extends TraceSettings {
  readonly serviceName: string
  readonly version: string
  readonly logger: Pick<Logger, 'warn'>
}

export interface OpenTraces {
  /** Sends what is left, for a few seconds at most. Never rejects. */
  close(): Promise<void>
}

const export_ms_max = 3000
const stockSendsEvery_ms = 5000
/** Spans that wait to be sent; further ones are dropped. */
const queued_max = 4096

/**
 * Sends traces to a collector over OTLP. The ids of a trace and of its first span follow from the request's id, which events
 * carry: so a projector and a Gateway in other processes continue the trace of a request, and nothing is stored for that.
 */
export function openOtlpTraces({
  endpoint,
  share,
  sendsEvery_ms = stockSendsEvery_ms,
  serviceName,
  version,
  logger,
}: OtlpParts): OpenTraces {
  const reported = (message: string): void => logger.warn({ reason: message.slice(0, 500) }, 'traces could not be sent')
  const silent = (): void => undefined
  diag.setLogger(
    { error: reported, warn: silent, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  )
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}${endpoint.endsWith('/') ? '' : '/'}v1/traces`,
    timeoutMillis: export_ms_max,
  })
  const ids = chosenIds()
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }),
    sampler: new TraceIdRatioBasedSampler(share),
    idGenerator: ids,
    spanProcessors: [
      new BatchSpanProcessor(exporter, {
        maxQueueSize: queued_max,
        exportTimeoutMillis: export_ms_max,
        scheduledDelayMillis: sendsEvery_ms,
      }),
    ],
  })
  const tracer = provider.getTracer('guildhall', version)

  function note({ name, correlationId, isRequest = false, began_ms, ended_ms, attributes, failed }: TracedWork): void {
    const request = requestSpan(correlationId)
    if (isRequest) ids.choose(request)
    const toEpoch_ms = Date.now() - performance.now()
    const span = tracer.startSpan(
      name,
      {
        kind: isRequest ? SpanKind.SERVER : SpanKind.INTERNAL,
        startTime: toEpoch_ms + began_ms,
        attributes: { ...attributes, 'guildhall.request_id': correlationId },
      },
      isRequest ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, request),
    )
    ids.choose(undefined)
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(toEpoch_ms + ended_ms)
  }

  const stop = keepTraces(note)
  return {
    async close() {
      stop()
      await provider.shutdown().catch((error: unknown) => {
        reported(String(error))
      })
      diag.disable()
    },
  }
}

/** The span of a request, from its id. */
function requestSpan(correlationId: string): SpanContext {
  const hash = createHash('sha256').update(correlationId).digest('hex')
  return { traceId: hash.slice(0, 32), spanId: hash.slice(32, 48), traceFlags: TraceFlags.SAMPLED, isRemote: true }
}

/** Random ids, except for a span that was chosen before it starts. */
function chosenIds(): IdGenerator & { choose(span: SpanContext | undefined): void } {
  const random = new RandomIdGenerator()
  let chosen: SpanContext | undefined
  return {
    choose(span) {
      chosen = span
    },
    generateTraceId: () => chosen?.traceId ?? random.generateTraceId(),
    generateSpanId: () => chosen?.spanId ?? random.generateSpanId(),
  }
}
