# syntax=docker/dockerfile:1

FROM golang:1.26-alpine AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN --mount=type=cache,target=/go/pkg/mod go mod download
COPY . .
RUN --mount=type=cache,target=/go/pkg/mod \
    --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags='-s -w' -o /out/rescore ./cmd/rescore

# Alpine, because the service runs git's own executable and the health check
# wants a small HTTP client; both are in its packages.
FROM alpine:3.22
RUN apk add --no-cache ca-certificates git \
 && addgroup -S -g 10001 rescore \
 && adduser -S -D -H -u 10001 -G rescore -h /data rescore \
 && install -d -o rescore -g rescore -m 0700 /data
COPY --from=build /out/rescore /usr/local/bin/rescore

# Only /data and /tmp are written, so the root may be mounted read-only:
#   docker run --read-only --tmpfs /tmp -v rescore-data:/data ...
# Secrets come from the environment or from mounted files, never from the image.
ENV RESCORE_DATA_DIR=/data \
    RESCORE_LISTEN=:8080 \
    HOME=/data
VOLUME ["/data"]
WORKDIR /data
EXPOSE 8080
USER 10001:10001

HEALTHCHECK --interval=15s --timeout=3s --start-period=20s --retries=3 \
  CMD ["wget", "-q", "-O", "/dev/null", "http://127.0.0.1:8080/healthz"]

ENTRYPOINT ["rescore"]
CMD ["serve"]
