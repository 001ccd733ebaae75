// The OTLP receiver of the OpenTelemetry Collector: prints what it is sent to the address that it is given, a line of
// OTLP's JSON for each request.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/config/configgrpc"
	"go.opentelemetry.io/collector/config/configoptional"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/receiver/otlpreceiver"
	"go.opentelemetry.io/collector/receiver/receivertest"
)

func main() {
	factory := otlpreceiver.NewFactory()
	config := factory.CreateDefaultConfig().(*otlpreceiver.Config)
	config.Protocols.GRPC = configoptional.None[configgrpc.ServerConfig]()
	config.Protocols.HTTP.GetOrInsertDefault().ServerConfig.NetAddr.Endpoint = os.Args[1]
	sink, err := consumer.NewTraces(func(_ context.Context, traces ptrace.Traces) error {
		line, err := (&ptrace.JSONMarshaler{}).MarshalTraces(traces)
		if err == nil {
			fmt.Println(string(line))
		}
		return err
	})
	if err != nil {
		panic(err)
	}
	r, err := factory.CreateTraces(context.Background(), receivertest.NewNopSettings(factory.Type()), config, sink)
	if err != nil {
		panic(err)
	}
	if err := r.Start(context.Background(), componenttest.NewNopHost()); err != nil {
		panic(err)
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt)
	<-stop
	_ = r.Shutdown(context.Background())
}
