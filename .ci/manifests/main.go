// Reads packaging/kubernetes.yaml as Kubernetes does, refusing what it does not know, and packaging/Containerfile as
// builders of images do.
package main

import (
	"bytes"
	"fmt"
	"os"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/yaml"
)

func check(err error, file string) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", file, err)
		os.Exit(1)
	}
}

func main() {
	daemonSet, containerfile := os.Args[1], os.Args[2]

	text, err := os.ReadFile(daemonSet)
	check(err, daemonSet)
	var set appsv1.DaemonSet
	check(yaml.UnmarshalStrict(text, &set), daemonSet)
	template := set.Spec.Template
	for name, value := range set.Spec.Selector.MatchLabels {
		if template.Labels[name] != value {
			check(fmt.Errorf("the selector %s=%s chooses other pods than its own", name, value), daemonSet)
		}
	}
	if set.Kind != "DaemonSet" || len(template.Spec.Containers) != 1 {
		check(fmt.Errorf("not a DaemonSet of one container"), daemonSet)
	}
	for name := range template.Spec.Containers[0].Resources.Limits {
		if name == "cpu" {
			check(fmt.Errorf("a quota of its own would make the watch late"), daemonSet)
		}
	}

	text, err = os.ReadFile(containerfile)
	check(err, containerfile)
	parsed, err := parser.Parse(bytes.NewReader(text))
	check(err, containerfile)
	stages, _, err := instructions.Parse(parsed.AST, nil)
	check(err, containerfile)
	fmt.Printf("%s: a DaemonSet that Kubernetes reads\n%s: %d stages\n", daemonSet, containerfile, len(stages))
}
