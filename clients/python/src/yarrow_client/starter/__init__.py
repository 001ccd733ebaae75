"""Writes the project of an agent: `yarrow new`."""

from yarrow_client.starter.frameworks import DEPLOYMENTS as DEPLOYMENTS
from yarrow_client.starter.frameworks import FRAMEWORKS as FRAMEWORKS
from yarrow_client.starter.frameworks import Deployment as Deployment
from yarrow_client.starter.frameworks import Framework as Framework
from yarrow_client.starter.project import NotAName as NotAName
from yarrow_client.starter.project import clone_near as clone_near
from yarrow_client.starter.project import files as files
from yarrow_client.starter.project import write as write
