import { DiagLogLevel, defaultTextMapGetter, diag, ROOT_CONTEXT, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { at } from '../../contract/schema/path.ts'
import { parseJson } from '../../contract/unknown-values.ts'
import type { Log } from '../log.ts'

/** A request that has been answered. */
interface TracedRequest {
  readonly requestId: string
  readonly method: string
  readonly operation?: string | undefined
  /** Null where the connection was dropped. */
  readonly status: number | null
  readonly milliseconds: number
  readonly user?: string | undefined
}

/** Sends a span for each request to a collector. */
export interface Traces {
  /** Adds a request; its span belongs to the trace that its headers name. */
  add(request: TracedRequest, headers: object): void
  /** Sends what has not been sent yet, for two seconds at most. */
  close(): Promise<void>
}

/** Milliseconds that the last spans have to be sent. */
const closingTime = 2000

/** Where the environment sets none, an attempt with its retries takes no longer: it would keep the process from ending. */
const timeout = ['OTEL_EXPORTER_OTLP_TIMEOUT', 'OTEL_EXPORTER_OTLP_TRACES_TIMEOUT'].some((name) => process.env[name])
  ? {}
  : { timeoutMillis: closingTime }

/** Begins to send traces over OTLP/HTTP, as the standard environment variables of OpenTelemetry say. */
export function startTraces(log: Log = () => {}): Traces {
  const failures = new Set<string>()
  const report = (text: string) => {
    const message = String(at(parseJson(text), 'message') ?? text)
    if (failures.size < failures.add(message).size) log(`traces are not sent: ${message}`)
  }
  const ignored = () => {}
  diag.setLogger({ error: report, warn: ignored, info: ignored, debug: ignored, verbose: ignored }, DiagLogLevel.ERROR)
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'vatom' }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter(timeout))],
  })
  const tracer = provider.getTracer('vatom')
  const propagator = new W3CTraceContextPropagator()
  return {
    add: ({ method, operation, status, milliseconds, user, requestId }, headers) => {
      const ended = Date.now()
      const span = tracer.startSpan(
        operation ?? method,
        {
          kind: SpanKind.SERVER,
          startTime: ended - milliseconds,
          attributes: {
            'http.request.method': method,
            ...(status !== null && { 'http.response.status_code': status }),
            ...(operation !== undefined && { 'vatom.operation': operation }),
            'vatom.request_id': requestId,
            ...(user !== undefined && { 'user.id': user }),
          },
        },
        propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter),
      )
      if (status === null || status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(ended)
    },
    close: async () => {
      const late = new Promise<void>((resolve) => setTimeout(resolve, closingTime).unref())
      await Promise.race([provider.shutdown().catch(ignored), late])
    },
  }
}
